/* A member that has created many tasks waits until there are fewer.  One of them waits for an event
   that this member will fulfill later.  The end of that task's body ends the wait.
   code: team/event.c task/task.c task/children.c task/header.c task/task_wait.c task/ready.c task/deque.c task/lineage.c task/priority.c memory/free_list.c
   wait/parking.c team/barrier.c team/gather.c team/relay.c team/join.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"
#include "team/team.h"

unsigned weak_threads = 2;
static struct task *task;
static int by_body;

static void body(void *data)
{
  (void)data;
  by_body = 1;
}

void weak_setup(void)
{
  make_members(2);
  make_headers();
  void *event = NULL;
  const struct task_request request = {.fn = body, .deferrable = true, .event = &event};
  ghcomp_task_create(be(0), &request);
  task = ghcomp_deque_take(&team->members[0].deque, NULL, NULL);
  team->members[0].implicit.created = 1u << 20; /* as if there were many others */
  team->ready_hint = 0;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    ghcomp_task_run(self, task);
    return;
  }
  ghcomp_task_wait_for_fewer(self);
  ghcomp_event_fulfill(task);
}

void weak_end(void)
{
  weak_assert(by_body == 1 && team->tasks.events_awaited == 0);
}
