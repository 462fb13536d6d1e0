/* One task is ready, and one member sleeps.  Another one has announced a sleep and finds that task, which waits for the next one:
   it does not look again.  Meanwhile the next one is made ready, and the wake-up may go to that member.  The sleeper is woken.
   code: task/ready.c task/deque.c task/lineage.c task/priority.c task/task_wait.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"

unsigned weak_threads = 3;
static struct task *made[2];

void weak_setup(void)
{
  make_members(weak_threads);
  make_headers();
  for (int i = 0; i < 2; i++) {
    made[i] = weak_alloc(sizeof *made[i]);
    made[i]->team = team;
  }
  ghcomp_deque_push(&team->members[0].deque, made[0]);
  team->ready_hint = 1;
  thread[2]->waiter.park_for = PARK_FOR_ANY_TASK;
  thread[2]->waiter.park = PARKED;
  team->crew.parked = 1;
}

static struct task *steal(void)
{
  return ghcomp_deque_steal(&team->members[0].deque, NULL, NULL);
}

static void look_before_sleep(struct thread *self)
{
  ghcomp_task_prepare_sleep(self, &team->crew);
  bool available = load_seq_cst_at(0, &team->ready_hint) != 0;
  ghcomp_parking_finish(&self->waiter, &team->crew);
  if (available && steal() != NULL)
    ghcomp_ready_pass_on(self);
}

static void be_woken(struct thread *self)
{
  ghcomp_parking_sleep(&self->waiter);
  ghcomp_parking_finish(&self->waiter, &team->crew);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    ghcomp_ready_put(self, made[1]);
  else if (number == 1)
    look_before_sleep(self);
  else
    be_woken(self);
}

void weak_end(void)
{
}
