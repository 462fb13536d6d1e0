/* The parts of the ghcomp command.  */
#ifndef APP_GHCOMP_H
#define APP_GHCOMP_H

#include <limits.h>

/* Each takes what follows the subcommand and returns the exit status.  */
int ghcomp_run(int argc, char **argv);
int ghcomp_info(int argc, char **argv);

/* The folder of the library: ../lib beside the command, or where it is
   installed.  Ends the process with a message when it is not there.  */
const char *ghcomp_library_folder(void);

/* "ghcomp: …" on standard error, then exit(status).  */
_Noreturn void ghcomp_fail(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
