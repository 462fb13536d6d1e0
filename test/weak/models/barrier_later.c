/* Two members meet at a barrier, and one creates a task after it.  The other one does not execute the task inside of that barrier,
   because the task may wait for what that member does after it.  The task is not lost.
   code: task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "team/team.h"

unsigned weak_threads = 2;
static bool inside[2], executed; /* member i is in the barrier: only its thread looks */

static void body(void *number)
{
  weak_assert(!inside[ghcomp_self()->member->number] && !executed);
  executed = true;
  (void)number;
}

static void make_headers(struct thread *self)
{
  for (int k = 0; k < 2; k++) {
    struct task *task = weak_alloc(sizeof *task);
    task->free.next = self->tasks.free_headers.first;
    self->tasks.free_headers.first = &task->free;
    self->tasks.free_headers.count++;
  }
}

static void make_array(struct member *member)
{
  ghcomp_deque_push(&member->deque, &member->implicit);
  ghcomp_deque_take(&member->deque, NULL, NULL);
}

void weak_setup(void)
{
  make_members(weak_threads);
  for (unsigned i = 0; i < 2; i++) {
    make_headers(thread[i]);
    make_array(&team->members[i]);
  }
}

static void create(struct thread *self)
{
  const struct task_request request = {.fn = body, .deferrable = true};
  ghcomp_task_create(self, &request);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  inside[number] = true;
  ghcomp_barrier_wait(self);
  inside[number] = false;
  if (number == 0)
    create(self);
  else
    ghcomp_task_run_any(self);
}

/* Thread 1 may have looked too early.  */
void weak_end(void)
{
  struct thread *self = be(0);
  if (!executed)
    ghcomp_task_run_any(self);
  weak_assert(executed);
}
