/* Why the system has refused memory or a thread: the call, its error, and the limit that is at fault.  For messages.  */
#ifndef GHCOMP_MACHINE_REFUSAL_H
#define GHCOMP_MACHINE_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>

enum { GHCOMP_REFUSAL = 160 }; /* bytes of a text */

/* True: so many bytes of addresses cannot be had at the moment, for the reason in `text`.  `as_memory`: nor as memory that may be
   written.
   Cost: some system calls.  */
bool ghcomp_machine_no_memory(char text[GHCOMP_REFUSAL], size_t size, bool as_memory);

/* Why a thread with a stack of so many bytes could not be had.  `error`: what pthread_create returned; ENOMEM: there was no
   memory for the thread's descriptor.  True: addresses or memory are at fault; false: the number of threads, or a filter of
   system calls.
   Called: at once, while what has used the limit up still exists.  */
bool ghcomp_machine_no_thread(char text[GHCOMP_REFUSAL], int error, size_t stack);

#endif
