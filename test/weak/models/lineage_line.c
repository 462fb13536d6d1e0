/* Two tasks begin, and end with children alive.  Their parent removes its own parent from the line
   of ancestors and completes.  Meanwhile the next ancestor, which is complete, loses its last other
   child.  All of them change the line above.  Each header is put back at most once; no task below
   has it as an ancestor then.
   code: task/lineage.c.  */
#include "lineage.h"

/* above - upper - (between - lower - (first, second), leaf).  */
static struct task *above, *upper, *between, *lower, *task[2];
static struct thread *self[3];
static _Atomic unsigned upper_gone, between_gone;
unsigned weak_threads = 3;

void weak_setup(void)
{
  make_line();
  above = make_task(make_task(NULL, 0), 1);
  upper = make_task(above, 2);
  between = make_task(upper, 3);
  lower = make_task(between, 4);
  make_complete(upper, 2);
  make_complete(between, 1);
  for (unsigned i = 0; i < 2; i++) {
    self[i] = make_thread(ENDED_LEAST + 1);
    task[i] = make_task(lower, 5);
  }
  self[2] = make_thread(0);
}

static void put(struct thread *by, struct task *header)
{
  (void)by;
  weak_assert(header == upper || header == between);
  weak_assert(add_seq_cst_at(0, header == upper ? &upper_gone : &between_gone, 1) == 0);
  header->payload = header;
}

void weak_thread(unsigned number)
{
  if (number == 2) {
    ghcomp_lineage_shorten(self[2], lower, put);
    complete(lower, 2); /* it created both tasks, and ends only now */
    add_seq_cst_at(0, &upper->from_children, CHILD_FREE); /* the leaf's header */
  } else {
    weak_assert(ghcomp_lineage_should_shorten(self[number]->member));
    ghcomp_lineage_shorten_above(self[number], task[number], put);
    ghcomp_lineage_shorten(self[number], task[number], put);
    complete(task[number], 1);
  }
}

void weak_end(void)
{
  struct task *now = load_relaxed_at(0, &lower->parent);
  weak_assert(load_relaxed_at(0, &between_gone) == 1);
  weak_assert(now == (load_relaxed_at(0, &upper_gone) ? above : upper));
}
