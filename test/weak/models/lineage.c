/* A task ends with a child alive while its parent, of whom it is the last, completes on another
   thread.  The parent's header may be left out, and is then used again at once, for a child of
   somebody else's, near or far from the top.  Whoever asks meanwhile hears whom the grandchild
   descends from.
   code: core/lineage.c.  */
#include "lineage.h"

/* above - parent - task - grandchild; stranger is on no way up.  */
static struct task *above, *parent, *task, *grandchild, *stranger;
static struct thread *self;
static _Atomic unsigned coin;
unsigned weak_threads = 3;

void weak_setup(void)
{
  make_line();
  self = make_thread(0);
  struct task *implicit = make_task(NULL, 0);
  above = make_task(implicit, 1);
  stranger = make_task(implicit, 1);
  parent = make_task(above, 2);
  task = make_task(parent, 3);
  grandchild = make_task(task, 4);
}

/* As task.c does it.  */
static void put(struct thread *by, struct task *gone)
{
  (void)by;
  weak_assert(gone == parent);
  gone->payload = gone;
  store_release_at(0, &gone->depth, load_relaxed_at(0, &coin) ? 9 : 2);
  store_release_at(0, &gone->parent, stranger);
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
    weak_assert(!ghcomp_lineage_descends(grandchild, stranger));
  }
}

void weak_end(void)
{
}
