/* ghcomp: runs OpenMP programs on GHC's Capabilities, and reports on the runtime.  */
#include "app/ghcomp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Noreturn void ghcomp_fail(int status, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("ghcomp: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(status);
}

static int usage(FILE *out, int status)
{
  fputs("usage: ghcomp run [--substrate ghc|pthread] [--] PROGRAM [ARGUMENT...]\n"
        "       ghcomp info [--verbose] | PROGRAM\n"
        "       ghcomp bench LIST|RUN|SUMMARY|COMPARE|KEEP|DOCUMENTS ...\n"
        "       ghcomp --version | --help\n"
        "\n"
        "run   runs an existing OpenMP program (of GCC, Clang, Intel) on GHC's Capabilities;\n"
        "      exit status and signals are the program's own\n"
        "info  shows versions, processors, what is in force and the OpenMP settings; of a\n"
        "      program or library, whether it can be served\n"
        "bench measures, verifies and compares; needs the source tree\n"
        "\n"
        "Each subcommand has --help.\n", out);
  return status;
}

/* ------------------------------------------------------------------------ bench */

/* The measuring itself is bench/run of the source tree.  */
static void print_bench_help(void)
{
  puts("usage: ghcomp bench LIST\n"
       "       ghcomp bench RUN WORKLOAD... [--quick] [--systems NAME,...]\n"
       "       ghcomp bench RUN --resume RECORD\n"
       "       ghcomp bench SUMMARY [RECORD|WORKLOAD...]\n"
       "       ghcomp bench COMPARE A B\n"
       "       ghcomp bench KEEP FOLDER RECORD...\n"
       "       ghcomp bench DOCUMENTS [--check]\n"
       "\n"
       "Measures workloads on this runtime and on its peers, verifies what they compute, and\n"
       "keeps a record of each run.  KEEP stores records in bench/records, DOCUMENTS puts their\n"
       "tables into docs/.  Settings are in the environment: ghcomp bench RUN --help.\n"
       "Needs the source tree (bench/) and python3, 3.11 or newer.");
}

/* bench/run beside the folder that this command was built in.  */
static const char *bench_runner(void)
{
  static char path[PATH_MAX + 64];
  const char *prefix = ghcomp_prefix();
  static const char *const places[] = {"../bench/run", "bench/run"};
  for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s/%s", prefix, places[i]);
    if (access(path, R_OK) == 0)
      return path;
  }
  ghcomp_fail(EXIT_UNSUITABLE, "bench needs the source tree: no bench/run is beside %s", prefix);
}

static int become_bench(int argc, char **argv)
{
  if (argc < 1)
    ghcomp_fail(EXIT_USAGE, "bench: expected LIST, RUN, SUMMARY, COMPARE, KEEP or DOCUMENTS (see "
                "ghcomp bench --help)");
  if (strcmp(argv[0], "--help") == 0) {
    print_bench_help();
    return EXIT_SUCCESS;
  }
  char **command = calloc((size_t)argc + 3, sizeof *command);
  if (command == NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "out of memory");
  command[0] = "python3";
  command[1] = (char *)bench_runner();
  memcpy(command + 2, argv, (size_t)argc * sizeof *argv);
  setenv("GHCOMP_BENCH_NAME", "ghcomp bench", 1);
  execvp(command[0], command);
  ghcomp_fail(EXIT_UNSUITABLE, "bench needs python3, which is not installed");
}

int main(int argc, char **argv)
{
  if (argc < 2)
    return usage(stderr, EXIT_USAGE);
  if (strcmp(argv[1], "run") == 0)
    return ghcomp_run(argc - 2, argv + 2);
  if (strcmp(argv[1], "info") == 0)
    return ghcomp_info(argc - 2, argv + 2);
  if (strcmp(argv[1], "bench") == 0)
    return become_bench(argc - 2, argv + 2);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
    return usage(stdout, EXIT_SUCCESS);
  if (strcmp(argv[1], "--version") == 0) {
    puts("ghcomp " GHCOMP_VERSION);
    return EXIT_SUCCESS;
  }
  fprintf(stderr, "ghcomp: '%s' is not a subcommand: expected run, info or bench\n", argv[1]);
  return usage(stderr, EXIT_USAGE);
}
