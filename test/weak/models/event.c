/* A detached task's body ends while another thread fulfills its event, and the team's only member
   waits for the region's tasks.  The second of the two completes the task, and the wait ends.
   Afterwards the fulfilling thread does not use the team, whose memory may be released.
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
  make_members(2);
  make_headers();
  team->size = team->heads = 1;
  void *event = NULL;
  const struct task_request request = {.fn = body, .deferrable = true, .event = &event};
  ghcomp_task_create(be(0), &request);
  task = event;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    result = 1;
    ghcomp_event_fulfill(task);
    return;
  }
  ghcomp_barrier_wait(self);
  weak_assert(result == 1);
  weak_free(team);
}

void weak_end(void)
{
}
