/* A thread waits for a predecessor, whose completion wakes it.
   code: task/depend_node.c memory/free_list.c wait/lock.c wait/parking.c task/task_wait.c.  */
#include "made_team.h"
#include "task/depend.h"
#include "task/deque.h"
#include "task/task_wait.h"

unsigned weak_threads = 2;
static struct depend_node *before;
static int result;

void weak_setup(void)
{
  make_members(weak_threads);
  before = ghcomp_depend_node_make(thread[1], weak_alloc(sizeof(struct task)));
  ghcomp_depend_node_hold(before, true); /* the table does */
  ghcomp_depend_node_registered(before);
}

struct found ghcomp_ready_find(struct thread *self, struct task *ancestor, bool (*has_come)(const void *), const void *awaited)
{
  return (struct found){NULL, false};
}

struct found ghcomp_ready_uncover(struct thread *self)
{
  return (struct found){NULL, false};
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    result = 1;
    ghcomp_depend_complete(self, before, NULL);
    return;
  }
  struct depend_node *node = ghcomp_depend_node_make(self, NULL);
  ghcomp_depend_node_order(before, node);
  ghcomp_depend_node_drop(before);
  if (!ghcomp_depend_node_registered(node))
    ghcomp_task_wait_count(self, &node->predecessors_left);
  ghcomp_depend_node_drop(node);
  weak_assert(result == 1);
}

void weak_end(void)
{
}
