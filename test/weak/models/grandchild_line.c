/* A task whose parent is complete ends while its child ends on another thread.  The task removes
   its parent from its line of ancestors.  If the child ends last, it also reports to the ancestor
   above.
   code: task/task.c task/children.c task/header.c task/icv_scope.c task/lineage.c memory/free_list.c.  */
#include "family.h"

static struct task *child, *grandchild;
unsigned weak_threads = 2;

void weak_setup(void)
{
  struct task *top = make_family(), *gone = make(top, nothing);
  child = make(gone, nothing);
  grandchild = make(child, nothing);
  top->from_children = CHILD_COMPLETE;
  gone->from_children = (uint64_t)(ALL_FREE - 1) << 32;
}

void weak_thread(unsigned number)
{
  ghcomp_task_run(be(number), number == 0 ? child : grandchild);
}

void weak_end(void)
{
  weak_assert(load_relaxed_at(0, &team->members[0].implicit.from_children) == (CHILD_COMPLETE | CHILD_FREE));
  weak_assert(thread[0]->tasks.free_headers.count + thread[1]->tasks.free_headers.count == 3);
}
