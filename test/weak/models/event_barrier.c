/* The last member arrives at a barrier while a thread outside the team fulfills the event of a task
   whose body has run.  Either of the two may end the phase; the member sees what the other did.
   code: team/event.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "tasks.h"
#include "team/team.h"

unsigned weak_threads = 2;
static struct task *task;
static int result;

static void body(void *data)
{
  (void)data;
}

void weak_setup(void)
{
  make_members(3);
  make_headers();
  team->size = team->heads = 2;
  void *event = NULL;
  const struct task_request request = {.fn = body, .deferrable = true, .event = &event};
  ghcomp_task_create(be(0), &request);
  task = ghcomp_deque_take(&team->members[0].deque, NULL, NULL);
  ghcomp_task_run(be(0), task);
  team->barrier.arrived = 1; /* the second member has arrived */
  team->ready_hint = 0;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(2 * number);
  if (number == 1) {
    result = 1;
    ghcomp_event_fulfill(task);
    return;
  }
  ghcomp_barrier_wait(self);
  weak_assert(result == 1);
}

void weak_end(void)
{
}
