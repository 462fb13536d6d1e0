/* A task ends with a child alive, while its parent completes on another thread.  The parent has no
   other child.  The parent's header may be removed from the line of ancestors and reused at once,
   for a child of another task, near the top or far from it.  A third thread meanwhile gets right
   answers about the grandchild's ancestors.
   code: task/lineage.c.  */
#include "task/at_once.h"
#include "lineage.h"

/* above - parent - task - grandchild; `near` and `far` are not among their ancestors.  */
static struct task *above, *parent, *task, *grandchild, *near, *far;
static struct thread *self;
static _Atomic unsigned coin;
unsigned weak_threads = 3;

void weak_setup(void)
{
  make_line();
  self = make_thread(0);
  struct task *implicit = make_task(NULL, 0);
  above = make_task(implicit, 1);
  near = make_task(implicit, 1);
  far = make_task(implicit, 8);
  parent = make_task(above, 2);
  task = make_task(parent, 3);
  grandchild = make_task(task, 4);
}

static void put(struct thread *by, struct task *gone)
{
  (void)by;
  weak_assert(gone == parent);
  gone->payload = gone;
  ghcomp_task_inherit(gone, load_relaxed_at(0, &coin) ? far : near, 0);
}

void weak_thread(unsigned number)
{
  if (number == 0) {
    ghcomp_lineage_shorten(self, task, put);
  } else if (number == 1) {
    store_relaxed_at(0, &coin, 1);
    complete(parent, 1);
  } else {
    weak_assert(ghcomp_lineage_descends(grandchild, above));
    weak_assert(!ghcomp_lineage_descends(grandchild, near));
  }
}

void weak_end(void)
{
}
