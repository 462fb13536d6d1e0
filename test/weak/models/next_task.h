/* Member 0 makes a task ready.  Member 1 may have been told of it, or may be relied upon to see it, and does something else.  Member 2
   sleeps, and must be woken.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"

unsigned weak_threads = 3;
static struct task *next;

static void member_1(struct thread *self); /* of the model */

static struct task *make_task(void)
{
  struct task *task = weak_alloc(sizeof *task);
  task->team = team;
  return task;
}

/* Its task waits for the next one.  */
static void make_older_task(void)
{
  ghcomp_deque_push(&team->members[0].deque, make_task());
  team->ready_hint = 1;
}

static struct task *steal_older_task(void)
{
  struct task *task = ghcomp_deque_steal(&team->members[0].deque, NULL, NULL);
  weak_assert(task != next);
  return task;
}

static void sleeps(unsigned number, enum park_state state)
{
  thread[number]->waiter.park_for = PARK_FOR_ANY_TASK;
  thread[number]->waiter.park = state;
}

static void make_sleepers(unsigned count)
{
  make_members(weak_threads);
  make_headers();
  next = make_task();
  sleeps(2, PARKED);
  team->crew.parked = count;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    ghcomp_ready_put(self, next);
  else if (number == 1)
    member_1(self);
  else {
    ghcomp_parking_sleep(&self->waiter);
    ghcomp_parking_finish(&self->waiter, &team->crew);
  }
}

void weak_end(void)
{
}
