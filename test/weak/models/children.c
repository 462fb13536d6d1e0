/* A task creates two children and waits for them; the other member executes what it finds and
   sleeps at the barrier.  What the children did is seen, their headers go back once.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c core/barrier.c core/gather.c core/relay.c.  */
#include "core/task.h"
#include "core/barrier.h"
#include "core/task_wait.h"
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
      task->free.next = thread[i]->tasks.first;
      thread[i]->tasks.first = &task->free;
      thread[i]->tasks.count++;
    }
  for (unsigned i = 0; i < 2; i++) { /* the deques have their arrays */
    ghcomp_deque_push(&team->members[i].deque, &team->members[i].implicit);
    ghcomp_deque_take(&team->members[i].deque, NULL, NULL);
  }
}

bool ghcomp_team_is_quiescent(struct team *of)
{
  uint64_t done = 0, created = 0;
  for (unsigned i = 0; i < 2; i++)
    done += load_acquire_at(0, &of->members[i].tasks_done);
  for (unsigned i = 0; i < 2; i++)
    created += load_acquire_at(0, &of->members[i].tasks_created);
  return done == created;
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
  }
  ghcomp_barrier_wait(self);
}

void weak_end(void)
{
}
