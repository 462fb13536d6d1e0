/* After a taskwait a task may count its children from 0 again if no child's header is in use.  It
   then changes its ICVs in place, because no other task reads them any more.
   code: task/task.c task/children.c task/header.c task/icv_scope.c task/lineage.c memory/free_list.c.  */
#include "family.h"

#include "task/children.h"

static struct task *top, *grandchild;
unsigned weak_threads = 2;

void weak_setup(void)
{
  top = make_family();
  give_icvs(top);
  struct task *child = make(top, nothing);
  grandchild = make(child, look_at_icvs);
  /* The child is complete; its header stays in use as long as the grandchild's.  */
  store_relaxed_at(0, &child->from_children, (uint64_t)(ALL_FREE - 1) << 32);
  store_relaxed_at(0, &top->from_children, CHILD_COMPLETE);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    ghcomp_task_run(self, grandchild);
    return;
  }
  ghcomp_children_forget(top);
  if (top->created == 0)
    ghcomp_icv_scope_own(self)->run_chunk = 9;
}

void weak_end(void)
{
  weak_assert(seen == 7);
}
