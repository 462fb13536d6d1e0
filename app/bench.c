/* ghcomp bench: the measuring itself is bench/run of the source tree.  */
#include "app/ghcomp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_help(void)
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
static const char *runner(void)
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

int ghcomp_bench(int argc, char **argv)
{
  if (argc < 1)
    ghcomp_fail(EXIT_USAGE, "bench: expected LIST, RUN, SUMMARY, COMPARE, KEEP or DOCUMENTS (see "
                "ghcomp bench --help)");
  if (strcmp(argv[0], "--help") == 0) {
    print_help();
    return EXIT_SUCCESS;
  }
  char **command = calloc((size_t)argc + 3, sizeof *command);
  if (command == NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "out of memory");
  command[0] = "python3";
  command[1] = (char *)runner();
  memcpy(command + 2, argv, (size_t)argc * sizeof *argv);
  setenv("GHCOMP_BENCH_NAME", "ghcomp bench", 1);
  execvp(command[0], command);
  ghcomp_fail(EXIT_UNSUITABLE, "bench needs python3, which is not installed");
}
