/* Ready tasks of a team that stand in no deque: those with a priority, the highest
   first, and those that nobody's deque may have (ready.h).

   One queue for each priority, in the order in which the tasks came; empty ones go.  */
#ifndef GHCOMP_TASK_PRIORITY_H
#define GHCOMP_TASK_PRIORITY_H

#include "task/types.h"

/* Cost: a lock, and a step for each higher priority that has tasks.  */
void ghcomp_priority_put(struct team *team, struct task *task);

/* The first that passes `accept` (NULL: any); NULL: none.
   Cost: one load when there is none.  */
struct task *ghcomp_priority_take(struct team *team, bool (*accept)(struct task *, struct task *),
                                  struct task *argument);

#endif
