/* A thief takes a batch while the owner takes nearly all tasks that the thief has seen.  Another thief takes one.  Each task is taken
   once, and the thread that takes it sees what the creator wrote into it.  */
#include "task/deque.h"
#include "made_team.h"

enum { KEPT = 1 }; /* the owner leaves so many of TASKS */

unsigned weak_threads = 3;
static struct deque *deque;
static struct task *tasks;
static unsigned taken[TASKS];

void weak_setup(void)
{
  deque = weak_alloc(sizeof *deque);
  tasks = weak_alloc(TASKS * sizeof *tasks);
  for (int i = 0; i < TASKS - 1; i++)
    ghcomp_deque_push(deque, &tasks[i]);
}

static void use(struct task *found)
{
  if (found == NULL)
    return;
  taken[found - tasks]++;
  found->priority++;
}

void weak_thread(unsigned number)
{
  struct task *batch[BATCH_MOST];
  if (number == 1) {
    int n = ghcomp_deque_steal_batch(deque, batch);
    for (int i = 0; i < n; i++)
      use(batch[i]);
  } else if (number == 2) {
    use(ghcomp_deque_steal(deque, NULL, NULL));
  } else {
    tasks[TASKS - 1].priority = 1;
    ghcomp_deque_push(deque, &tasks[TASKS - 1]);
    for (int i = 0; i < TASKS - KEPT; i++)
      use(ghcomp_deque_take(deque, NULL, NULL));
  }
}

void weak_end(void)
{
  for (struct task *left; (left = ghcomp_deque_take(deque, NULL, NULL)) != NULL;)
    use(left);
  for (int i = 0; i < TASKS; i++)
    weak_assert(taken[i] == 1);
}
