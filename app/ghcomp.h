/* The parts of the ghcomp command.  */
#ifndef APP_GHCOMP_H
#define APP_GHCOMP_H

#include <limits.h>
#include <stdbool.h>

/* The exit statuses of ghcomp itself, as of env(1).  The program's own may be any. */
enum { EXIT_USAGE = 2, EXIT_UNSUITABLE = 125, EXIT_NOT_EXECUTABLE = 126, EXIT_NOT_FOUND = 127 };

/* Each takes the arguments after the subcommand, and returns the exit status.  */
int ghcomp_run(int argc, char **argv);
int ghcomp_info(int argc, char **argv);

/* The part of info about one program; `name` as a user would type it.  Returns the exit status.  */
int ghcomp_info_program(const char *name);

/* Prints one line of info.  */
void ghcomp_info_row(const char *name, const char *value);

/* The folder two levels above this command's file: PREFIX of PREFIX/bin/ghcomp. */
const char *ghcomp_prefix(void);

/* The path of libgomp.so.1: in ../lib beside the command, or where it is installed.  If it is in
   neither place, ends the process with a message.  */
const char *ghcomp_library(void);

/* Put the library's folder in front of LD_LIBRARY_PATH, or the library in front of LD_PRELOAD, for
   the programs that this process starts or becomes.  The first ends the process with a message if
   the folder cannot be written in such a list.  */
void ghcomp_put_folder_in_front(const char *library);
void ghcomp_preload(const char *library);

/* The file that a shell would run, or NULL.  The caller frees it.  */
char *ghcomp_find_program(const char *name);

/* The same for a program that will run; or, with `runs` false, for a program or library that is
   only read.  If there is none, ends the process with a message.  */
char *ghcomp_demand_program(const char *name, bool runs);

/* Two paths lead to one file.  */
bool ghcomp_is_same_file(const char *one, const char *other);

/* "ghcomp: …" on standard error, then exit(status).  */
_Noreturn void ghcomp_fail(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
