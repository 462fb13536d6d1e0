/* ghcomp info: starts a region on the library and reports what served it.  So the report is what a
   program would get.  */
#include "app/ghcomp.h"

#include "runtime/machine/processors.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SHOWN 16

static void *library;

/* The Capability of each thread of the region.  */
static int capability_of[MOST_SHOWN];
static unsigned team_size;

static void *function(const char *name)
{
  void *address = dlsym(library, name);
  if (address == NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "the library has no %s: it is not of this version", name);
  return address;
}

static const char *ask_text(const char *name)
{
  return ((const char *(*)(void))function(name))();
}

static int ask_number(const char *name)
{
  return ((int (*)(void))function(name))();
}

/* ---------------------------------------------------------------------- a region */

static void look_around(void *data)
{
  (void)data;
  int number = ask_number("omp_get_thread_num");
  if (number == 0)
    team_size = (unsigned)ask_number("omp_get_num_threads");
  if (number < MOST_SHOWN)
    capability_of[number] = ask_number("ghcomp_capability");
}

static void start_region(unsigned threads)
{
  ((void (*)(void (*)(void *), void *, unsigned, unsigned))function("GOMP_parallel"))(
      look_around, NULL, threads, 0);
}

/* -------------------------------------------------------------------- the answers */

void ghcomp_info_row(const char *name, const char *value)
{
  printf("%-22s %s\n", name, value);
}

static void row_number(const char *name, unsigned value, const char *if_none)
{
  char text[16];
  snprintf(text, sizeof text, "%u", value);
  ghcomp_info_row(name, value != 0 || if_none == NULL ? text : if_none);
}

static void show_threads(void)
{
  printf("%-22s", "thread:Capability");
  for (unsigned i = 0; i < team_size && i < MOST_SHOWN; i++)
    if (capability_of[i] >= 0)
      printf(" %u:%d", i, capability_of[i]);
    else
      printf(" %u:-", i);
  puts(team_size > MOST_SHOWN ? " ..." : "");
}

static void show_substrate(void)
{
  ghcomp_info_row("substrate", ask_text("ghcomp_substrate_describe"));
  ghcomp_info_row("reason", ask_text("ghcomp_substrate_reason"));
  row_number("Capabilities", (unsigned)ask_number("ghcomp_capabilities"), "none");
}

static void show_machine(void)
{
  row_number("processors online", ghcomp_machine_online_processors(), NULL);
  row_number("affinity mask allows", ghcomp_machine_affinity_processors(), NULL);
  row_number("CPU quota allows", ghcomp_machine_quota_processors(), "no quota");
}

/* The library shows its settings on standard error, as libgomp does.  */
static void show_settings(bool verbose)
{
  fflush(stdout);
  ((void (*)(int))function("omp_display_env"))(verbose);
}

static int usage(FILE *out, int status)
{
  fputs("usage: ghcomp info [--verbose]\n"
        "       ghcomp info PROGRAM\n"
        "\n"
        "Starts one region and shows what served it and why, what this machine allows, and\n"
        "the OpenMP settings in force (with --verbose, libgomp's own variables too).\n"
        "\n"
        "With the name of a program, or of a shared library that a program loads, it tells\n"
        "whether `ghcomp run` can serve it, why, and how to check that it did.  Nothing of the\n"
        "program is run.  The status is 125 when it cannot be served.\n", out);
  return status;
}

static void open_library(const char *path)
{
  library = dlopen(path, RTLD_NOW);
  if (library == NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "the library cannot be loaded: %s", dlerror());
}

int ghcomp_info(int argc, char **argv)
{
  if (argc == 1 && strcmp(argv[0], "--help") == 0)
    return usage(stdout, EXIT_SUCCESS);
  bool verbose = false;
  if (argc == 1 && argv[0][0] != '-')
    return ghcomp_info_program(argv[0]);
  for (int i = 0; i < argc; i++) {
    if (strcmp(argv[i], "--verbose") != 0 && strcmp(argv[i], "-v") != 0) {
      fprintf(stderr, argv[i][0] == '-' ? "ghcomp: '%s' is not an option of info\n"
              : "ghcomp: info: expected one program or --verbose, and got '%s' too\n", argv[i]);
      return usage(stderr, EXIT_USAGE);
    }
    verbose = true;
  }
  const char *path = ghcomp_library();
  open_library(path);
  start_region(0);
  unsigned usual = team_size;
  if (usual == 1)
    start_region(2); /* to see what serves a larger region */
  ghcomp_info_row("ghc-openmp", ask_text("ghcomp_version"));
  ghcomp_info_row("library", path);
  show_substrate();
  row_number("team of a region", usual, NULL);
  show_threads();
  show_machine();
  show_settings(verbose);
  return EXIT_SUCCESS;
}
