/* How deep task bodies may nest on a thread's stack.

   A task that its creator executes at once, or that a waiting thread executes, has its body on the
   stack of the interrupted task.  A task may create its successor and end, a million times.  So
   bodies nest only until they have used a certain part of the stack since the region began.  A task
   that is created deeper is deferred, and executed where the stack is not deep.  (Tasks that must
   not be deferred, and those that a taskwait waits for, nest as the program nests them.)

   A region may begin on a stack that is not the thread's own: a coroutine's, or a signal handler's.  Nobody knows how large
   that is.  So there no body nests that could start elsewhere.

   Invariant: where the stack is deep, no body starts that could start elsewhere.  */
#ifndef GHCOMP_TASK_STACK_H
#define GHCOMP_TASK_STACK_H

#include "state/thread.h"

/* Room for a thousand small bodies, or for some tens of large ones.  If threads outnumber
   processors, each has less, so that all together use as much as one thread for each processor; but
   at least STACK_PART_LEAST.  */
enum { STACK_PART_MOST = 256 * 1024, STACK_PART_LEAST = 8 * 1024, STACK_SHARE = 4 };

/* Where the caller's stack ends.  A frame's address would do, but for it GCC makes a frame: fork and join of
   one thread then take 18.7 ns instead of 17.7, medians of 25 runs.  */
static inline uintptr_t ghcomp_stack_here(void)
{
#if defined(__x86_64__)
  uintptr_t here;
  __asm__("mov %%rsp, %0" : "=r"(here));
  return here;
#else
  return (uintptr_t)__builtin_frame_address(0);
#endif
}

/* True: the stack is deep.  Called for each task, so it compares the stack pointer itself.  For a
   frame's address GCC makes a frame, and the comparison takes four instructions, not one.  So a
   task that is executed at once takes 98 instructions, and not 101.  */
static inline bool ghcomp_stack_is_deep(const struct member *member)
{
#if defined(__x86_64__)
  bool deep;
  __asm__("cmp %%rsp, %1" : "=@cca"(deep) : "m"(member->deep_stack_below));
  return unlikely(deep);
#else
  return unlikely(ghcomp_stack_here() < member->deep_stack_below);
#endif
}

/* The address is not on the stack that the thread is known to have: what is left below it if the thread's own stack is not
   known yet and this is it; or 0.
   Cost: some system calls, once for each thread.  */
size_t ghcomp_stack_left_elsewhere(struct thread *self, uintptr_t here);

/* A worker, which has been told the size of its stack, begins there.  */
static inline void ghcomp_stack_begin_own(struct thread *worker)
{
  worker->stack_lowest = ghcomp_stack_here() - worker->stack_size;
}

/* What each member of a team may use, by the number of threads that there are now.  Determined when
   the team gets its size, not for each region.  */
uint32_t ghcomp_stack_share(void);

/* The calling thread begins to serve as that member.  */
static inline void ghcomp_stack_begin(struct thread *self, struct member *member)
{
  uintptr_t here = ghcomp_stack_here();
  size_t left = here - self->stack_lowest;
  if (unlikely(left >= self->stack_size))
    left = ghcomp_stack_left_elsewhere(self, here);
  size_t part = left / STACK_SHARE, share = member->team->stack_share;
  member->deep_stack_below = here - (part < share ? part : share);
}

#endif
