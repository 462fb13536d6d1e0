/* What may disturb the calling thread at any moment: it is cancelled, or a handler of the program's runs.

   A thread that holds a lock of the runtime's, or has something half made, must not end there.  Deferred cancellation ends it in
   a call that POSIX lists as a cancellation point, such as open and read.  So whoever makes such a call holds cancellation
   off; tools/check-cancellation proves that.

   Slow paths hold handlers off, too: they allocate, load libraries and start threads, and what they use (the allocator, the
   loader) is not made for a handler that does the same.  Quick paths only say that they are at work; see base/inside.h.  */
#ifndef GHCOMP_MACHINE_DISTURBANCE_H
#define GHCOMP_MACHINE_DISTURBANCE_H

#include <stdint.h>

/* Cancellation stays pending until the second call, which is no cancellation point.  Returns what the second call wants.
   Cost: some nanoseconds.  */
int ghcomp_machine_hold_cancellation(void);
void ghcomp_machine_let_cancellation(int before);

struct held {
  uint64_t signals; /* that were blocked */
  int cancellation;
};

/* Holds cancellation and handlers off, but for signals that the thread's own instructions raise.  Pairs may be nested.
   Cost: a system call each.  */
struct held ghcomp_machine_hold(void);
void ghcomp_machine_let(struct held before);

/* From now on the calling thread blocks just these.  */
void ghcomp_machine_block_signals(uint64_t signals);

#endif
