/* The oldest task is taken, and then the array grows, while a thief that may take only certain tasks looks at the place that was the
   oldest.
   code: task/deque.c.  */
#include "task/deque.h"
#include "made_team.h"

enum { FULL = 64 };

unsigned weak_threads = 2;
static struct deque *deque;
static struct task *tasks;
static unsigned taken[FULL + 2];

void weak_setup(void)
{
  deque = weak_alloc(sizeof *deque);
  tasks = weak_alloc((FULL + 2) * sizeof *tasks);
  for (int i = 0; i < FULL; i++)
    ghcomp_deque_push(deque, &tasks[i]);
}

static void use(struct task *found)
{
  if (found != NULL)
    taken[found - tasks]++;
}

/* Reads the header, as a thief does that looks for descendants.  */
static bool is_usual(struct task *found, struct task *nobody)
{
  weak_assert(found != NULL && found - tasks < FULL + 2);
  return found != nobody && found->priority == 0;
}

void weak_thread(unsigned number)
{
  if (number == 0) {
    use(ghcomp_deque_take_oldest(deque, NULL, NULL));
    ghcomp_deque_push(deque, &tasks[FULL]);
    ghcomp_deque_push(deque, &tasks[FULL + 1]);
  } else {
    use(ghcomp_deque_steal(deque, is_usual, NULL));
  }
}

void weak_end(void)
{
  for (struct task *left; (left = ghcomp_deque_take(deque, NULL, NULL)) != NULL;)
    use(left);
  for (int i = 0; i < FULL + 2; i++)
    weak_assert(taken[i] == 1);
}
