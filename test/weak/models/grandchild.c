/* A task with ICVs of its own ends.  Its child, which reads these ICVs, runs and ends on another
   thread.  Each header is put back once, and the ICVs are released after the last read.
   code: task/task.c task/children.c task/header.c task/icv_scope.c task/lineage.c memory/free_list.c.  */
#include "family.h"

static struct task *child, *grandchild;
unsigned weak_threads = 2;

void weak_setup(void)
{
  child = make(make_family(), nothing);
  give_icvs(child);
  grandchild = make(child, look_at_icvs);
}

void weak_thread(unsigned number)
{
  ghcomp_task_run(be(number), number == 0 ? child : grandchild);
}

void weak_end(void)
{
  weak_assert(seen == 7);
  weak_assert(load_relaxed_at(0, &team->members[0].implicit.from_children) == (CHILD_COMPLETE | CHILD_FREE));
  weak_assert(thread[0]->tasks.free_headers.count + thread[1]->tasks.free_headers.count == 2);
}
