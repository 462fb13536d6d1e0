/* A member has found no task, and clears the hint while a task is made ready.  It sees the task, and sets the hint again.  A third
   member is about to sleep, and may have seen the hint clear: it is woken, because the second one takes one task only.
   code: task/ready.c task/deque.c task/lineage.c task/priority.c task/task_wait.c wait/parking.c.  */
#include "made_team.h"
#include "simple_lock.h"
#include "task/task.h"
#include "task/task_wait.h"
#include "tasks.h"

unsigned weak_threads = 3;
static struct task *made;

void weak_setup(void)
{
  make_members(weak_threads);
  make_headers();
  team->ready_hint = 1;
  made = weak_alloc(sizeof *made);
  made->team = team;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    ghcomp_ready_put(self, made);
  else if (number == 1)
    ghcomp_ready_note_none(self);
  else {
    ghcomp_task_prepare_sleep(self, &team->crew);
    ghcomp_task_sleep_unless(self, load_seq_cst_at(0, &team->ready_hint) != 0);
    ghcomp_parking_finish(&self->waiter, &team->crew);
  }
}

void weak_end(void)
{
}
