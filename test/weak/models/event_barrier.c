/* The last member comes to a barrier while a thread outside fulfills the event of a task whose
   body has run: whoever of the two ends the phase, the member sees what the other did.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c core/barrier.c core/gather.c core/relay.c core/team.c.  */
#include "core/barrier.h"
#include "core/task.h"
#include "made_team.h"
#include "simple_lock.h"
#include "tasks.h"

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
  team->barrier.arrived = 1; /* the second member */
  team->hint = 0;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(2 * number);
  if (number == 1) {
    result = 1;
    ghcomp_task_fulfill(task);
    return;
  }
  ghcomp_barrier_wait(self);
  weak_assert(result == 1);
}

void weak_end(void)
{
}
