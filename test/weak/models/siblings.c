/* A task with dependences runs at once if all its siblings are complete, and sees what they did.
   code: task/task.c task/children.c task/header.c task/icv_scope.c task/lineage.c task/priority.c memory/free_list.c.  */
#include "family.h"

static struct task *top, *sibling;
static int value;
unsigned weak_threads = 2;

static void write_value(void *data)
{
  (void)data;
  value = 1;
}

static void read_value(void *data)
{
  (void)data;
  weak_assert(value == 1);
}

/* Called if a sibling is not complete; that sibling is the only predecessor.  */
bool ghcomp_depend_register(struct thread *self, struct task *task, void **depend)
{
  (void)self, (void)task, (void)depend;
  return false;
}

void weak_setup(void)
{
  top = make_family();
  sibling = make(top, write_value);
  struct task *spare = weak_alloc(sizeof *spare);
  thread[0]->tasks.free_headers.first = &spare->free;
  thread[0]->tasks.free_headers.count = 1;
  team->own_tasks_only = false;
  store_relaxed_at(0, &team->members[0].deque.bottom, MOST_RESERVE); /* the others have enough to do */
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 1) {
    ghcomp_task_run(self, sibling);
    return;
  }
  void *depend[] = {(void *)1, (void *)1, &value};
  const struct task_request request = {.fn = read_value, .deferrable = true, .depend = depend};
  ghcomp_task_create(self, &request);
}

void weak_end(void)
{
  weak_assert(value == 1);
}
