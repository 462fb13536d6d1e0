/* Headers and deques for members that create tasks, so that no member allocates memory.  */
#ifndef WEAK_TASKS_H
#define WEAK_TASKS_H

#include "task/deque.h"

static void make_headers(void)
{
  for (unsigned i = 0; i < team->size; i++) {
    for (int k = 0; k < 2; k++) {
      struct task *task = weak_alloc(sizeof *task);
      task->free.next = thread[i]->tasks.free_headers.first;
      thread[i]->tasks.free_headers.first = &task->free;
      thread[i]->tasks.free_headers.count++;
    }
    ghcomp_deque_push(&team->members[i].deque, &team->members[i].implicit);
    ghcomp_deque_take(&team->members[i].deque, NULL, NULL);
  }
}

#endif
