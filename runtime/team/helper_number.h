/* Numbers of tasks for a device (target nowait).

   LLVM's library executes such a task on one of eight threads that it keeps for them.  Their numbers are 1 to 8, and
   those of other threads but the first begin at 9.  Here any thread executes the task, and has one of these numbers
   meanwhile.  So the task sees the copies of threadprivate variables of that number, as it would there, and not
   those of the thread.  The ninth at a time keeps its thread's number.  */
#ifndef GHCOMP_TEAM_HELPER_NUMBER_H
#define GHCOMP_TEAM_HELPER_NUMBER_H

#include "state/thread.h"

enum { HELPER_NUMBERS = 8 };

/* The number of the n-th descriptor.  */
static inline unsigned ghcomp_helper_number_leave_out(unsigned n)
{
  return n == 0 ? 0 : n + HELPER_NUMBERS;
}

/* The number of a task that the thread begins, and its return after the task.  Such tasks may be nested.  */
unsigned ghcomp_helper_number_take(struct thread *self);
void ghcomp_helper_number_return(const struct thread *self, unsigned number);

/* In a forked child, whose other threads are gone.  self: NULL or the calling thread.  */
void ghcomp_helper_number_after_fork(const struct thread *self);

#endif
