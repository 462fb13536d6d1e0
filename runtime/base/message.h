/* What the runtime says to its user, always on standard error, always one
   line that begins with "ghcomp: ".  Nothing here allocates or locks, so it
   may be called from anywhere, a forked child included.  */
#ifndef GHCOMP_BASE_MESSAGE_H
#define GHCOMP_BASE_MESSAGE_H

/* Says what happened and goes on.  */
void ghcomp_message_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Says what happened and ends the process with exit status 1.  */
_Noreturn void ghcomp_message_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Called by a failed CHECK: says which, and aborts.  */
_Noreturn void ghcomp_message_check_failed(const char *what, const char *file, int line);

/* ------------------------------------------------------------------- version */

/* Which version of the project this is.  */

/* As "0.2.0".  */
extern const char *const ghcomp_version_of_project;

#endif
