/* The array grows while a thief looks at the old one.
   code: task/deque.c.  */
#include "task/deque.h"
#include "made_team.h"

enum { FULL = 64 };

unsigned weak_threads = 2;
static struct deque *deque;
static struct task *tasks;
static unsigned stolen[FULL + 1];

void weak_setup(void)
{
  deque = weak_alloc(sizeof *deque);
  tasks = weak_alloc((FULL + 1) * sizeof *tasks);
  for (int i = 0; i < FULL; i++)
    ghcomp_deque_push(deque, &tasks[i]);
}

static void use(struct task *found)
{
  if (found != NULL)
    stolen[found - tasks]++;
}

static bool is_there(struct task *found, struct task *nobody)
{
  weak_assert(found - tasks <= FULL);
  return found == nobody;
}

void weak_thread(unsigned number)
{
  if (number == 0) {
    tasks[FULL].priority = 1;
    ghcomp_deque_push(deque, &tasks[FULL]);
    use(ghcomp_deque_take(deque, NULL, NULL));
  } else {
    ghcomp_deque_holds(deque, is_there, NULL);
    use(ghcomp_deque_steal(deque, NULL, NULL));
    struct task *batch[BATCH_MOST];
    int n = ghcomp_deque_steal_batch(deque, batch);
    for (int i = 0; i < n; i++)
      use(batch[i]);
  }
}

void weak_end(void)
{
  for (struct task *left; (left = ghcomp_deque_take(deque, NULL, NULL)) != NULL;)
    use(left);
  for (int i = 0; i <= FULL; i++)
    weak_assert(stolen[i] == 1);
}
