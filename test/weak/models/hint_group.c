/* The other waits for a taskgroup.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c core/taskgroup.c.  */
#define PRIORITY 0
#include "hint_group.h"
