/* This process: its number and environment, what is done in its forked children, standard error to the
   end, and memory that may be gone.  */
#ifndef GHCOMP_MACHINE_PROCESS_H
#define GHCOMP_MACHINE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Its number in the system.  */
int ghcomp_machine_process(void);

/* The machine's name in the network; cut off where it is longer.  "node" where the system does not tell.  */
enum { GHCOMP_HOST_NAME = 256 };
void ghcomp_machine_host_name(char name[GHCOMP_HOST_NAME]);

/* "NAME=VALUE" each, the last one followed by NULL; NULL: there is none.  */
char **ghcomp_machine_environment(void);

/* From now on `run` is called in each forked child, which has the calling thread only.  It must be
   async-signal-safe.  */
void ghcomp_machine_in_forked_child(void (*run)(void));

/* The first line of a file, or false.  */
bool ghcomp_machine_read_line(const char *path, char *line, size_t size);

/* How many of `count` structures have a word other than 0 at this offset; `structures` is an array
   of their addresses.  The system reads both: what is no memory any more counts as 0, also
   where it stops to be any meanwhile.  Cost: two system calls.  */
unsigned ghcomp_machine_count_set(const void *structures, unsigned count, size_t offset);

/* ------------------------------------------------------------------ standard error */

/* Writes all of it to standard error, in one piece unless a signal cuts it.  Neither allocates nor
   locks.  */
void ghcomp_machine_write_error(const char *bytes, size_t size);

/* A descriptor of standard error that is still there when the program has closed its own.

   Many programs, GNU's among them, close standard error as the last thing that they do, and what
   is shown at the program's end comes after that.  The descriptor has a number away from those that
   programs count on, and is not passed on to programs that this one starts.  */

/* From the library's constructor, and only where something is to be shown.  */
void ghcomp_last_words_prepare(void);

/* Standard error; where the program has closed it, the one of our own; -1: neither is there.  */
int ghcomp_last_words_descriptor(void);

#endif
