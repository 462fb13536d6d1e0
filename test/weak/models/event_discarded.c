/* A detached task is cancelled before it begins, while another thread fulfills its event.  The team's only member does not wait for
   the event if it is first; then the header may be that of another detached task, whose event is not fulfilled by who has the
   first one's.  Else the task is complete when the event is fulfilled.
   code: team/event.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/event.h"
#include "task/header.h"
#include "task/task.h"
#include "tasks.h"
#include "team/team.h"

unsigned weak_threads = 2;
static struct task *task;
static void *event;
static bool again;

static void body(void *data)
{
  (void)data;
  weak_assert(false);
}

void weak_setup(void)
{
  make_members(2);
  make_headers();
  team->size = team->heads = 1;
  const struct task_request request = {.fn = body, .deferrable = true, .event = &event};
  ghcomp_task_create(be(0), &request);
  task = event;
  team->cancelled = true;
}

/* Another detached task gets the header of a discarded one.  */
static void use_again(struct thread *self)
{
  if (ghcomp_task_event(task) == event)
    return;
  weak_assert(ghcomp_header_take(self) == task);
  task->flags = TASK_DETACH;
  task->team = NULL;
  again = true;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    ghcomp_event_fulfill(event);
    return;
  }
  ghcomp_barrier_wait(self);
  use_again(self);
  weak_free(team);
}

void weak_end(void)
{
  weak_assert((task->detach & DETACH_FLAGS) == 0);
  if (again) {
    weak_assert(ghcomp_task_take_event(event) == NULL);
    weak_assert(ghcomp_task_take_event(ghcomp_task_event(task)) == task);
  }
}
