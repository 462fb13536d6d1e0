/* Whether the calling thread is at work in the runtime: it begins or ends a region, allocates, holds a lock of the runtime's, or
   is a worker between two regions.  A handler of the program's that interrupts it may start a region all the same.  That region has
   a context of its own and one thread, takes no such lock, and does not allocate (team/interrupted.c).

   The owner counts, and a handler that runs on the same thread reads.  Where code of the program runs, the count is 0, but for
   such a handler.  */
#ifndef GHCOMP_BASE_INSIDE_H
#define GHCOMP_BASE_INSIDE_H

#include <stdbool.h>

extern _Thread_local unsigned ghcomp_inside __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* No instruction: a handler on the same thread sees the count before what follows.  */
static inline void fence_of_handlers(void)
{
  __asm__ __volatile__("" ::: "memory");
}

static inline bool ghcomp_is_inside(void)
{
  return ghcomp_inside != 0;
}

static inline void ghcomp_inside_begin(void)
{
  ghcomp_inside++;
  fence_of_handlers();
}

static inline void ghcomp_inside_end(void)
{
  fence_of_handlers();
  ghcomp_inside--;
}

#endif
