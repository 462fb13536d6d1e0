/* A member makes a task and does not look for one itself.  Another, which waits and has just
   found that there is none, or goes to sleep, has to execute it.
   code: core/task.c core/task_wait.c core/ready.c core/deque.c core/lineage.c core/priority.c core/free_list.c
   core/parking.c.  */
#include "core/task.h"
#include "core/task_wait.h"
#include "made_team.h"
#include "simple_lock.h"
#include "tasks.h"

unsigned weak_threads = 2;
static int result; /* the second member's */

static void body(void *data)
{
  (void)data;
  result = 1;
}

void weak_setup(void)
{
  make_members(2);
  make_headers();
  team->hint = 1; /* of a task that has gone */
  team->tasking = true;

}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0) {
    const struct task_request request = {.fn = body, .deferrable = true};
    ghcomp_task_create(self, &request);
    return;
  }
  while (result == 0) { /* as barrier.c does */
    if (load_seq_cst_at(0, &team->hint) != 0 && ghcomp_task_run_any(self))
      continue;
    ghcomp_task_prepare_sleep(self, team);
    if (result == 0)
      ghcomp_task_sleep_unless(self, load_seq_cst_at(0, &team->hint) != 0);
    ghcomp_parking_finish(self, team);
  }
}

void weak_end(void)
{
}
