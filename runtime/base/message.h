/* The runtime's messages to its user: always on standard error, always one line that begins with
   "ghcomp: ".  Characters that cannot be printed are shown as '?'.  These functions neither allocate nor lock, so any
   code may call them, also in a forked child.  */
#ifndef GHCOMP_BASE_MESSAGE_H
#define GHCOMP_BASE_MESSAGE_H

#include <stdbool.h>

/* "OMP: Warning #1: ghcomp: ", or Error: in a process that has code of LLVM's compilers alone, whose users look for
   LLVM's first words.  Written once, when the environment is read.  */
extern bool ghcomp_message_like_llvm;

/* Writes the message and returns.  */
void ghcomp_message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Information that the user has asked for, in LLVM's form whatever the process: "OMP: Info #254: ".  */
void ghcomp_message_inform(int number, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes the message and ends the process with exit status 1.  */
_Noreturn void ghcomp_message_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Called by a failed CHECK: says which check failed, and aborts.  */
_Noreturn void ghcomp_message_check_failed(const char *what, const char *file, int line);

/* ------------------------------------------------------------------- version */

/* The version of the project.  */

/* As "0.2.0".  */
extern const char *const ghcomp_version_of_project;

#endif
