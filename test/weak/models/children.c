/* A task creates a child and waits for it, while another member executes any task that it finds.
   The parent then sees what the child did.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c.  */
#include "task/task.h"
#include "task/task_wait.h"
#include "made_team.h"
#include "simple_lock.h"

enum { CHILDREN = 1 };
unsigned weak_threads = 2;
static int result[CHILDREN];

void weak_setup(void)
{
  make_members(weak_threads);
  for (unsigned i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      struct task *task = weak_alloc(sizeof *task);
      task->free.next = thread[i]->tasks.free_headers.first;
      thread[i]->tasks.free_headers.first = &task->free;
      thread[i]->tasks.free_headers.count++;
    }
  for (unsigned i = 0; i < 2; i++) { /* so that the deques have their arrays */
    ghcomp_deque_push(&team->members[i].deque, &team->members[i].implicit);
    ghcomp_deque_take(&team->members[i].deque, NULL, NULL);
  }
}

static void body(void *data)
{
  result[*(int *)data]++;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0) {
    for (int i = 0; i < CHILDREN; i++) {
      const struct task_request request = {.fn = body, .data = &i, .size = sizeof i, .alignment = sizeof i,
                                           .deferrable = true};
      ghcomp_task_create(self, &request);
    }
    ghcomp_task_wait(self);
    for (int i = 0; i < CHILDREN; i++)
      weak_assert(result[i] == 1);
  } else
    ghcomp_task_run_any(self);
}

void weak_end(void)
{
}
