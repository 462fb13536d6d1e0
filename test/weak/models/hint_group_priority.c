/* hint.h, where the other member waits for a taskgroup and the task has a priority.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c task/taskgroup.c.  */
#define PRIORITY 1
#include "hint_group.h"
