/* A member waits for a detached task whose body another member executes.  A thread outside the team
   fulfills the event before, during or after the body.  The second of the two completes the task,
   and the waiting member sees what both did.
   code: team/event.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"
#include "team/team.h"

unsigned weak_threads = 3;
static struct task *task;
static int by_body, by_fulfiller;

static void body(void *data)
{
  (void)data;
  by_body = 1;
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
  weak_assert(task == event);
  team->ready_hint = 0;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  switch (number) {
  case 0:
    ghcomp_task_wait(self);
    weak_assert(by_body == 1 && by_fulfiller == 1);
    break;
  case 1:
    ghcomp_task_run(self, task);
    break;
  default:
    by_fulfiller = 1;
    ghcomp_event_fulfill(task);
  }
}

void weak_end(void)
{
  weak_assert(team->tasks.events_awaited == 0 && (uint32_t)team->region_state == 0);
}
