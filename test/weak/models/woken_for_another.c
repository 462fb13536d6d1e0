/* One task is ready, and one member sleeps.  Another one has announced a sleep and finds that task, which waits for the next one:
   it does not look again.  Meanwhile the next one is made ready, and the wake-up may go to that member.  The sleeper is woken.
   code: task/ready.c task/deque.c task/lineage.c task/priority.c task/task_wait.c wait/parking.c.  */
#include "next_task.h"

void weak_setup(void)
{
  make_sleepers(1);
  make_older_task();
}

static void member_1(struct thread *self)
{
  ghcomp_task_prepare_sleep(self, &team->crew);
  bool available = load_seq_cst_at(0, &team->ready_hint) != 0;
  ghcomp_parking_finish(&self->waiter, &team->crew);
  if (available && steal_older_task() != NULL)
    ghcomp_ready_pass_on(self);
}
