/* A task is far below many complete ancestors, which stay because they have other descendants.  The
   task gives smaller depths to these ancestors and to itself.  Another thread meanwhile gets right
   answers about the ancestors of the task's child.
   code: task/lineage.c.  */
#include "lineage.h"

/* above - upper - lower - task - child.  */
static struct task *above, *upper, *lower, *task, *child;
static struct thread *self;
unsigned weak_threads = 2;

void weak_setup(void)
{
  make_line();
  self = make_thread(0);
  above = make_task(make_task(NULL, 0), 1);
  upper = make_task(above, 10);
  lower = make_task(upper, 11);
  task = make_task(lower, 12);
  child = make_task(task, 13);
  make_complete(upper, 2);
  make_complete(lower, 2);
}

static void put(struct thread *by, struct task *gone)
{
  (void)by, (void)gone;
  weak_fail("nobody may go");
}

void weak_thread(unsigned number)
{
  if (number == 0)
    ghcomp_lineage_raise(self, task, put);
  else
    weak_assert(ghcomp_lineage_descends(child, above));
}

void weak_end(void)
{
  weak_assert(load_relaxed_at(0, &task->depth) == 4);
}
