/* taskloop: a loop cut into tasks.  Spec: 5.2, 12.6.  */
#ifndef GHCOMP_TASK_TASKLOOP_H
#define GHCOMP_TASK_TASKLOOP_H

#include "task/task.h"

struct taskloop_request {
  struct task_request task;  /* block begins with two 64-bit bounds */
  uint64_t count;            /* iterations */
  uint64_t begin, step;      /* values, mod 2^64 */
  uint64_t tasks;            /* num_tasks or grainsize; 0: neither */
  bool grainsize, strict, nogroup;
  uintptr_t *reductions;     /* or NULL */
};

void ghcomp_taskloop_run(struct thread *self, const struct taskloop_request *request);

#endif
