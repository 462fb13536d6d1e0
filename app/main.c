/* ghcomp: runs OpenMP programs on GHC's Capabilities, and tells about it.  */
#include "app/ghcomp.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        "run   runs an existing OpenMP program (gcc -fopenmp) on GHC's Capabilities;\n"
        "      exit status and signals are the program's own\n"
        "info  shows versions, processors, what is in force and the OpenMP settings; of a\n"
        "      program or library, whether it can be served\n"
        "bench measures, verifies and compares; needs the source tree\n"
        "\n"
        "Each subcommand has --help.\n", out);
  return status;
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
    return ghcomp_bench(argc - 2, argv + 2);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
    return usage(stdout, EXIT_SUCCESS);
  if (strcmp(argv[1], "--version") == 0) {
    puts("ghcomp " GHCOMP_VERSION);
    return EXIT_SUCCESS;
  }
  fprintf(stderr, "ghcomp: '%s' is not a subcommand: expected run, info or bench\n", argv[1]);
  return usage(stderr, EXIT_USAGE);
}
