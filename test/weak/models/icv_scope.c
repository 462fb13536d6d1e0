/* A task changes its ICVs in place if no child's header is in use, because no other task reads them
   any more.  Otherwise it gets new ones.
   code: task/task.c task/children.c task/header.c task/icv_scope.c task/lineage.c memory/free_list.c.  */
#include "family.h"

static struct task *child;
unsigned weak_threads = 2;

void weak_setup(void)
{
  struct task *top = make_family();
  give_icvs(top);
  child = make(top, look_at_icvs);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1)
    ghcomp_task_run(self, child);
  else
    ghcomp_icv_scope_own(self)->run_chunk = 9;
}

void weak_end(void)
{
  weak_assert(seen == 7);
}
