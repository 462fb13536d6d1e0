/* ghcomp: runs OpenMP programs on GHC's Capabilities, and tells about it.  */
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

const char *ghcomp_library_folder(void)
{
  static char folder[PATH_MAX + 16];
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0)
    ghcomp_fail(125, "cannot find out where this command is (/proc/self/exe): the library is "
                     "looked for beside it");
  self[length] = '\0';
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(self, '/');
    if (slash != NULL)
      *slash = '\0';
  }
  snprintf(folder, sizeof folder, "%s/lib/ghc-openmp", self);
  char library[PATH_MAX + 64];
  snprintf(library, sizeof library, "%s/libgomp.so.1", folder);
  if (access(library, R_OK) != 0) {
    snprintf(folder, sizeof folder, "%s/lib", self);
    snprintf(library, sizeof library, "%s/libgomp.so.1", folder);
  }
  if (access(library, R_OK) != 0)
    ghcomp_fail(125, "the library is not at %s: build it with 'make' or install it", library);
  return folder;
}

static int usage(FILE *out, int status)
{
  fputs("usage: ghcomp run [--substrate ghc|pthread] -- PROGRAM [ARGUMENT...]\n"
        "       ghcomp info [--verbose]\n"
        "       ghcomp --version | --help\n"
        "\n"
        "run   runs an existing OpenMP program (gcc -fopenmp) on GHC's Capabilities;\n"
        "      exit status and signals are the program's own\n"
        "info  shows versions, processors, what is in force and the OpenMP settings\n"
        "\n"
        "Each subcommand has --help.\n", out);
  return status;
}

int main(int argc, char **argv)
{
  if (argc < 2)
    return usage(stderr, 2);
  if (strcmp(argv[1], "run") == 0)
    return ghcomp_run(argc - 2, argv + 2);
  if (strcmp(argv[1], "info") == 0)
    return ghcomp_info(argc - 2, argv + 2);
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
    return usage(stdout, 0);
  if (strcmp(argv[1], "--version") == 0) {
    puts("ghcomp " GHCOMP_VERSION);
    return 0;
  }
  fprintf(stderr, "ghcomp: '%s' is not a subcommand: expected run or info\n", argv[1]);
  return usage(stderr, 2);
}
