/* A member has been called for a task and finds it; the task waits for the next one, so the member does not look again.  Meanwhile the
   next one is made ready, and only one member may be called at a time.  The sleeper is called, by whoever has made the task ready or by
   that member.
   code: task/ready.c task/deque.c task/lineage.c task/priority.c task/task_wait.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"

unsigned weak_threads = 3;
static struct task *made[2];

static void sleeps(unsigned number, uint32_t park)
{
  thread[number]->waiter.park_for = PARK_FOR_ANY_TASK;
  thread[number]->waiter.park = park;
  team->crew.parked = 2;
}

void weak_setup(void)
{
  weak_processors = 1;
  make_members(weak_threads);
  make_headers();
  for (int i = 0; i < 2; i++) {
    made[i] = weak_alloc(sizeof *made[i]);
    made[i]->team = team;
  }
  ghcomp_deque_push(&team->members[0].deque, made[0]);
  team->ready_hint = 1;
  sleeps(1, CALLED);
  sleeps(2, PARKED);
  thread[1]->tasks.may_have_been_woken = true;
}

static void be_called(struct thread *self)
{
  ghcomp_parking_finish(&self->waiter, &team->crew);
  struct task *task = ghcomp_deque_steal(&team->members[0].deque, NULL, NULL);
  weak_assert(task == made[0]);
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
    be_called(self);
  else
    be_woken(self);
}

void weak_end(void)
{
}
