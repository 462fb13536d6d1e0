/* How the system schedules the calling thread: policy, nice value, and the length of its time slice (0 before Linux
   6.12).  */
#ifndef GHCOMP_TEST_ATTRIBUTES_H
#define GHCOMP_TEST_ATTRIBUTES_H

#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHORT_SLICE 100000u /* nanoseconds: what the runtime asks for */

/* Linux's struct sched_attr.  */
struct attributes {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t slice, deadline, period;
};

static inline struct attributes attributes(void)
{
  struct attributes own = {0};
  if (syscall(SYS_sched_getattr, 0, &own, sizeof own, 0) != 0)
    abort();
  return own;
}

#endif
