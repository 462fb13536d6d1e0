/* Like grandchild.c, but the task was undeferred: its parent counts it only if its child is not
   complete yet.
   code: task/task.c task/children.c task/header.c task/icv_scope.c task/lineage.c memory/free_list.c.  */
#include "family.h"

#include "task/at_once.h"

static struct task *top, *child, *grandchild;
unsigned weak_threads = 2;

void weak_setup(void)
{
  top = make_family();
  child = make(top, nothing);
  top->created = 0;
  team->own_tasks_only = false;
  give_icvs(child);
  grandchild = make(child, look_at_icvs);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0)
    ghcomp_task_end_slowly(self, child, top);
  else
    ghcomp_task_run(self, grandchild);
}

void weak_end(void)
{
  weak_assert(seen == 7);
  weak_assert(load_relaxed_at(0, &top->from_children) == (CHILD_COMPLETE | CHILD_FREE) * top->created);
  weak_assert(thread[0]->tasks.free_headers.count + thread[1]->tasks.free_headers.count == 2);
}
