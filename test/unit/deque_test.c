/* storey: task */
/* The deque alone: order at both ends, growth, refusal, and each of many tasks
   taken exactly once by an owner and three thieves.  */
#include "task/deque.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { TASKS = 100000, THIEVES = 3 };

static struct deque deque;
static struct task *tasks;
static _Atomic int taken[TASKS];
static _Atomic int total;

static void have(struct task *task)
{
  int n = (int)(task - tasks);
  assert(n >= 0 && n < TASKS);
  assert(add_relaxed(&taken[n], 1) == 0);
  add_relaxed(&total, 1);
}

static bool never(struct task *task, struct task *argument)
{
  (void)task, (void)argument;
  return false;
}

static void order(void)
{
  for (int i = 0; i < 1000; i++)
    ghcomp_deque_push(&deque, &tasks[i]);
  assert(ghcomp_deque_length(&deque) == 1000);
  assert(ghcomp_deque_take(&deque, never, NULL) == NULL);
  assert(ghcomp_deque_steal(&deque, never, NULL) == NULL);
  assert(ghcomp_deque_steal(&deque, NULL, NULL) == &tasks[0]);
  assert(ghcomp_deque_take(&deque, NULL, NULL) == &tasks[999]);
  for (int i = 998; i >= 1; i--)
    assert(ghcomp_deque_take(&deque, NULL, NULL) == &tasks[i]);
  assert(ghcomp_deque_take(&deque, NULL, NULL) == NULL);
  assert(ghcomp_deque_steal(&deque, NULL, NULL) == NULL);
  assert(ghcomp_deque_is_empty(&deque));
}

static void *thief(void *unused)
{
  (void)unused;
  while (load_relaxed(&total) < TASKS) {
    struct task *task = ghcomp_deque_steal(&deque, NULL, NULL);
    if (task != NULL)
      have(task);
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[THIEVES];
  tasks = calloc(TASKS, sizeof *tasks);
  order();
  for (int i = 0; i < THIEVES; i++)
    pthread_create(&threads[i], NULL, thief, NULL);
  for (int i = 0; i < TASKS; i++) {
    ghcomp_deque_push(&deque, &tasks[i]);
    if (i % 3 == 0) {
      struct task *task = ghcomp_deque_take(&deque, NULL, NULL);
      if (task != NULL)
        have(task);
    }
  }
  struct task *task;
  while (load_relaxed(&total) < TASKS)
    if ((task = ghcomp_deque_take(&deque, NULL, NULL)) != NULL)
      have(task);
  for (int i = 0; i < THIEVES; i++)
    pthread_join(threads[i], NULL);
  assert(load_relaxed(&total) == TASKS);
  return 0;
}
