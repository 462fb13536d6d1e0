/* ghcomp run: finds the program, checks whether the runtime can serve it, and executes it in this
   process, with the library's folder in front of LD_LIBRARY_PATH.  */
#include "app/ghcomp.h"
#include "app/suit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int usage(FILE *out, int status)
{
  fputs("usage: ghcomp run [--substrate ghc|pthread] [--] PROGRAM [ARGUMENT...]\n"
        "\n"
        "Runs an OpenMP program of GCC, Clang, Flang or Intel's compilers (-fopenmp) with this\n"
        "runtime as its libgomp.so.1, libomp.so.5 or libiomp5.so.  What the program loads or\n"
        "starts later gets it too.  --substrate says where threads come from: GHC's runtime\n"
        "system (the default) or plain POSIX threads.\n"
        "\n"
        "Exit status and signals are the program's own.  If the program is not started, the\n"
        "status is\n"
        "  125  when this runtime cannot serve it: it is static, setuid or setgid, for another\n"
        "       machine, or does not use any of these libraries\n"
        "  126  when it is not executable\n"
        "  127  when it is not found\n"
        "  2    when ghcomp itself is used wrongly\n", out);
  return status;
}

/* --------------------------------------------------------------------- the command */

struct command {
  char **program;        /* NULL: nothing to run */
  const char *substrate; /* NULL: not given */
  const char *wrong;     /* an option that does not exist */
  bool help;
};

static struct command read_command(int argc, char **argv)
{
  struct command command = {0};
  int i = 0;
  for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--") != 0; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      command.help = true;
    } else if (strncmp(argv[i], "--substrate=", 12) == 0) {
      command.substrate = argv[i] + 12;
    } else if (strcmp(argv[i], "--substrate") == 0 && i + 1 < argc) {
      command.substrate = argv[++i];
    } else {
      command.wrong = argv[i];
      return command;
    }
  }
  if (i < argc && strcmp(argv[i], "--") == 0)
    i++;
  command.program = i < argc ? argv + i : NULL;
  return command;
}

static void refuse_substrate(const char *name)
{
  if (strcmp(name, "ghc") != 0 && strcmp(name, "pthread") != 0)
    ghcomp_fail(EXIT_USAGE, "--substrate %s: expected ghc or pthread", name);
}

/* --------------------------------------------------------------------- the program */

static bool is_set(const char *name)
{
  const char *value = getenv(name);
  return value != NULL && *value != '\0';
}

/* A program with this runtime inside is started as it is: the library would be a second one in its process, which prints a table of
   zeros with GHCOMP_STATS=1.  */
static void prepare_environment(const char *program)
{
  struct suit_file file;
  suit_read(program, &file);
  if (suit_is_inside(&file))
    return;
  const char *library = ghcomp_library();
  struct judgement judgement;
  bool folders_are_ours = !is_set("LD_LIBRARY_PATH") && !is_set("LD_PRELOAD");
  ghcomp_put_folder_in_front(library);
  suit_judge(&file, library, folders_are_ours, &judgement);
  if (judgement.suit == SUIT_NOT)
    ghcomp_fail(EXIT_UNSUITABLE, "%s; it was not started", judgement.because);
  if (judgement.is_library)
    ghcomp_fail(EXIT_UNSUITABLE, "%s is a library, which a program loads; it was not started", program);
  if (judgement.suit == SUIT_PRELOAD)
    ghcomp_preload(library);
}

int ghcomp_run(int argc, char **argv)
{
  struct command command = read_command(argc, argv);
  if (command.wrong != NULL) {
    fprintf(stderr, "ghcomp: '%s' is not an option of run, or lacks its value\n", command.wrong);
    return usage(stderr, EXIT_USAGE);
  }
  if (command.help)
    return usage(stdout, EXIT_SUCCESS);
  if (command.program == NULL) {
    fputs("ghcomp: run: expected a program\n", stderr);
    return usage(stderr, EXIT_USAGE);
  }
  if (command.substrate != NULL) {
    refuse_substrate(command.substrate);
    setenv("GHCOMP_SUBSTRATE", command.substrate, 1);
  }
  char *path = ghcomp_demand_program(command.program[0], true);
  prepare_environment(path);
  execv(path, command.program);
  if (errno == ENOEXEC)
    ghcomp_fail(EXIT_NOT_EXECUTABLE, "%s is neither a program nor a script that begins with #!",
                path);
  ghcomp_fail(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE, "%s: %s", path,
              strerror(errno));
}
