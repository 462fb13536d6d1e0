/* A task is ready when two members arrive at the barrier.  One executes it.  After the barrier both
   see what the task did, and what the other member did before.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "team/team.h"

unsigned weak_threads = 2;
static int result, written[2];

static void body(void *data)
{
  (void)data;
  result++;
}

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
  const struct task_request request = {.fn = body, .deferrable = true};
  ghcomp_task_create(be(0), &request);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  written[number] = 1;
  ghcomp_barrier_wait(self);
  weak_assert(result == 1 && written[1 - number] == 1);
}

void weak_end(void)
{
}
