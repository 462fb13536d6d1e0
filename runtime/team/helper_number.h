/* Numbers of tasks for a device (target nowait).

   LLVM's library executes such a task on one of eight threads that it keeps for them.  Their numbers are 1 to 8, and
   those of other threads but the first begin at 9.  Here any thread executes the task, and has one of these numbers
   meanwhile.  So the task sees the copies of threadprivate variables of that number, as it would there, and not
   those of the thread.  The ninth at a time keeps its thread's number.

   With LIBOMP_NUM_HIDDEN_HELPER_THREADS=n LLVM's library keeps one more, which starts them: the numbers are 2 to n + 1
   then.  They are given in turns, so that tasks come to all places of KMP_HIDDEN_HELPER_AFFINITY.  */
#ifndef GHCOMP_TEAM_HELPER_NUMBER_H
#define GHCOMP_TEAM_HELPER_NUMBER_H

#include "places/places.h"
#include "settings/icv.h"
#include "state/thread.h"

/* Written when the environment is read.  */
struct helper_numbers {
  unsigned first, count, kept; /* kept: the last number, or 0 */
};
extern struct helper_numbers ghcomp_helper_numbers;

/* There are so many: 0 to MOST_HELPERS.
   Requires: no descriptor but the first has its number.  */
void ghcomp_helper_number_keep(unsigned count);

/* The number of the n-th descriptor.  */
static inline unsigned ghcomp_helper_number_leave_out(unsigned n)
{
  return n == 0 ? 0 : n + ghcomp_helper_numbers.kept;
}

struct helper_number {
  unsigned number;
  bool bound;                  /* its thread may run elsewhere meanwhile */
  struct processor_set before; /* then: where it could run */
};

/* The number of a task that the thread begins, and its return after the task.  Such tasks may be nested.  */
void ghcomp_helper_number_take(struct thread *self, struct helper_number *taken);
void ghcomp_helper_number_return(const struct thread *self, const struct helper_number *taken);

/* In a forked child, whose other threads are gone.  self: NULL or the calling thread.  */
void ghcomp_helper_number_after_fork(const struct thread *self);

#endif
