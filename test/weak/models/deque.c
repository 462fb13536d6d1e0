/* The owner pushes and takes, two thieves steal.  Each task is taken once, and the thread that
   takes it sees what the creator wrote into it.
   code: task/deque.c.  */
#include "task/deque.h"
#include "made_team.h"

unsigned weak_threads = 3;
static struct deque *deque;
static struct task *task[3];
static unsigned taken[3];

void weak_setup(void)
{
  deque = weak_alloc(sizeof *deque);
  for (int i = 0; i < 3; i++)
    task[i] = weak_alloc(sizeof **task);
  ghcomp_deque_push(deque, task[0]);
}

static void use(struct task *found)
{
  for (int i = 0; i < 3; i++)
    if (found == task[i])
      taken[i]++;
  if (found != NULL)
    found->priority++;
}

void weak_thread(unsigned number)
{
  if (number != 0) {
    use(ghcomp_deque_steal(deque, NULL, NULL));
    return;
  }
  task[1]->priority = 1;
  ghcomp_deque_push(deque, task[1]);
  use(ghcomp_deque_take(deque, NULL, NULL));
  use(ghcomp_deque_take(deque, NULL, NULL));
  task[2]->priority = 1;
  ghcomp_deque_push(deque, task[2]);
  use(ghcomp_deque_take(deque, NULL, NULL));
}

void weak_end(void)
{
  for (struct task *left; (left = ghcomp_deque_take(deque, NULL, NULL)) != NULL;)
    use(left);
  for (int i = 0; i < 3; i++)
    weak_assert(taken[i] == 1);
}
