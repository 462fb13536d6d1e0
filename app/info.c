/* ghcomp info: starts a region on the library and tells what served it, so that
   what it says is what a program gets.  */
#include "app/ghcomp.h"

#include "runtime/substrate/machine.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *library;

static void *function(const char *name)
{
  void *address = dlsym(library, name);
  if (address == NULL)
    ghcomp_fail(125, "the library has no %s: it is not of this version", name);
  return address;
}

static const char *ask_text(const char *name)
{
  return ((const char *(*)(void))function(name))();
}

static unsigned ask_number(const char *name)
{
  return ((unsigned (*)(void))function(name))();
}

static void nothing(void *data)
{
  (void)data;
}

static void start_region(unsigned threads)
{
  ((void (*)(void (*)(void *), void *, unsigned, unsigned))function("GOMP_parallel"))(
      nothing, NULL, threads, 0);
}

static void row(const char *name, const char *value)
{
  printf("%-24s %s\n", name, value);
}

static void row_number(const char *name, unsigned value, const char *none)
{
  char text[16];
  snprintf(text, sizeof text, "%u", value);
  row(name, value != 0 || none == NULL ? text : none);
}

static void show_substrate(void)
{
  row("substrate", ask_text("ghcomp_substrate_describe"));
  row("substrate chosen by", getenv("GHCOMP_SUBSTRATE") != NULL ? "GHCOMP_SUBSTRATE"
                                                                : "default (ghc in a C program)");
  row_number("Capabilities", ask_number("ghcomp_capabilities"), "none");
}

static void show_machine(void)
{
  row_number("processors online", (unsigned)sysconf(_SC_NPROCESSORS_ONLN), NULL);
  row_number("affinity mask allows", ghcomp_machine_affinity_processors(), NULL);
  row_number("CPU quota allows", ghcomp_machine_quota_processors(), "no quota");
  row_number("default team size", ((unsigned)((int (*)(void))function("omp_get_max_threads"))()),
             NULL);
}

int ghcomp_info(int argc, char **argv)
{
  bool verbose = argc == 1 && (strcmp(argv[0], "--verbose") == 0 || strcmp(argv[0], "-v") == 0);
  if (argc == 1 && strcmp(argv[0], "--help") == 0) {
    puts("usage: ghcomp info [--verbose]\n\n"
         "Starts one region and shows which substrate served it, what this machine allows,\n"
         "and the OpenMP settings in force (with --verbose, libgomp's own variables too).");
    return 0;
  }
  if (argc != 0 && !verbose)
    ghcomp_fail(2, "info: '%s' is not an option: expected --verbose or --help", argv[0]);
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/libgomp.so.1", ghcomp_library_folder());
  library = dlopen(path, RTLD_NOW);
  if (library == NULL)
    ghcomp_fail(125, "the library cannot be loaded: %s", dlerror());
  start_region(2);
  row("ghc-openmp", ask_text("ghcomp_version"));
  row("library", path);
  show_substrate();
  show_machine();
  fflush(stdout);
  ((void (*)(int))function("omp_display_env"))(verbose);
  return 0;
}
