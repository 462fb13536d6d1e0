/* taskgroup, and the private copies of task reductions.
   Spec: 5.2, 15.4, 5.5.  */
#ifndef GHCOMP_TASK_TASKGROUP_H
#define GHCOMP_TASK_TASKGROUP_H

#include "task/types.h"

/* Opens a taskgroup around what the current task creates.  */
struct taskgroup *ghcomp_taskgroup_begin(struct thread *self);

/* Waits for all tasks of the innermost one, and closes it.  */
void ghcomp_taskgroup_end(struct thread *self);

#endif
