/* Who combines what the members of a team have for a reduction clause, where the compiler leaves it to the
   runtime: code of LLVM's and Intel's compilers does.

   The compiled code can combine a member's values with the variables in two ways: with atomic operations,
   in which case the runtime has nothing to do, or plainly, for which the member has a lock of the
   construct's until the code is done.  */
#include "team/team.h"

#include "state/thread.h"
#include "wait/program_lock.h"

enum reduction ghcomp_reduce_begin(struct thread *self, lock_word *lock, bool atomics)
{
  struct member *member = self->member;
  if (member->team->size == 1)
    return REDUCE_PLAINLY;
  if (atomics)
    return REDUCE_BY_ATOMICS;
  ghcomp_program_lock_acquire(lock);
  member->work.holds_reduction_lock = true;
  return REDUCE_PLAINLY;
}

void ghcomp_reduce_end(struct thread *self, lock_word *lock)
{
  struct member *member = self->member;
  if (!member->work.holds_reduction_lock)
    return;
  member->work.holds_reduction_lock = false;
  ghcomp_program_lock_release(lock);
}
