/* A member has been called for a task that another one has taken.  While it looks, finds nothing and goes to sleep again, a task is made
   ready, and only one member may be called at a time.  It finds the task, or is called again.
   code: task/ready.c task/deque.c task/lineage.c task/priority.c task/task_wait.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"

unsigned weak_threads = 2;
static struct task *made;

void weak_setup(void)
{
  weak_processors = 1;
  make_members(weak_threads);
  make_headers();
  made = weak_alloc(sizeof *made);
  made->team = team;
  thread[1]->waiter.park_for = PARK_FOR_ANY_TASK;
  thread[1]->waiter.park = CALLED;
  team->crew.parked = 1;
}

static struct task *steal(void)
{
  return ghcomp_deque_steal(&team->members[0].deque, NULL, NULL);
}

static void be_called(struct thread *self)
{
  ghcomp_parking_finish(&self->waiter, &team->crew);
  if (load_relaxed_at(0, &team->ready_hint) != 0 && steal() != NULL)
    return;
  ghcomp_task_prepare_sleep(self, &team->crew);
  ghcomp_task_sleep_unless(self, load_seq_cst_at(0, &team->ready_hint) != 0);
  ghcomp_parking_finish(&self->waiter, &team->crew);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    ghcomp_ready_put(self, made);
  else
    be_called(self);
}

void weak_end(void)
{
}
