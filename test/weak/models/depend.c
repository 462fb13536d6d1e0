/* Two tasks complete while a third thread registers a task that depends on both, and names the first
   twice.  That task becomes ready once, after both, and sees what they did.  Before it completes, one
   task looks at its successors.  Each thread drops nodes; one reuses them.
   code: task/depend_node.c memory/free_list.c wait/lock.c wait/parking.c.  */
#include "made_team.h"
#include "task/depend.h"
#include "task/deque.h"

unsigned weak_threads = 3;
static struct depend_node *before[2];
static struct task *task;
static int result[2], ready;

void weak_setup(void)
{
  make_members(weak_threads);
  for (unsigned i = 0; i < 2; i++) {
    before[i] = ghcomp_depend_node_make(thread[i], weak_alloc(sizeof *task));
    ghcomp_depend_node_hold(before[i], true);
    ghcomp_depend_node_registered(before[i]);
  }
  task = weak_alloc(sizeof *task);
  for (unsigned i = 0; i < 3; i++)
    ghcomp_free_list_put(&thread[2]->tasks.free_nodes, &(struct free_depot){.size = sizeof(struct depend_node)},
                         weak_alloc(sizeof(struct depend_node)));
}

void ghcomp_ready_put(struct thread *self, struct task *found)
{
  weak_assert(found == task && result[0] == 1 && result[1] == 1);
  ready++;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0) {
    struct depend_edge *edge = ghcomp_depend_node_successors(before[0]);
    weak_assert(edge == NULL || (edge->successor->task == task && edge->next == NULL));
  }
  if (number < 2) {
    result[number] = 1;
    ghcomp_depend_complete(self, before[number], ghcomp_ready_put);
    return;
  }
  struct depend_node *node = ghcomp_depend_node_make(self, task);
  for (unsigned i = 0; i < 2; i++) {
    ghcomp_depend_node_order(before[i], node);
    if (i == 0)
      ghcomp_depend_node_order(before[i], node);
    ghcomp_depend_node_drop(before[i]);
  }
  if (ghcomp_depend_node_registered(node))
    ghcomp_ready_put(self, task);
}

void weak_end(void)
{
  weak_assert(ready == 1);
}
