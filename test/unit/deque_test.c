/* storey: task */
/* The deque alone: order at both ends, growth, and refusal.  An owner and three thieves take each
   of many tasks exactly once.  The same is tested where the deque hands out positions, and the
   elements are in an array of the test that does not grow.  */
#include "task/deque.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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

/* The owner knows what it has seen, and looks again where that leaves no room.  */
static void seen(void)
{
  struct deque own = {0};
  for (int64_t i = 0; i < 4; i++) {
    assert(ghcomp_deque_free_position(&own, 4) == i);
    ghcomp_deque_offer(&own, i);
  }
  assert(ghcomp_deque_free_position(&own, 4) == DEQUE_NONE && ghcomp_deque_stolen(&own) == 0);
  assert(ghcomp_deque_claim_oldest(&own, 0) && ghcomp_deque_claim_oldest(&own, 1));
  assert(ghcomp_deque_length_seen(&own) == 4 && ghcomp_deque_stolen(&own) == 0 && ghcomp_deque_length(&own) == 2);
  assert(ghcomp_deque_free_position(&own, 4) == 4);
  assert(ghcomp_deque_length_seen(&own) == 2 && ghcomp_deque_stolen(&own) == 2);
  assert(ghcomp_deque_claim_youngest(&own, 3) && ghcomp_deque_claim_youngest(&own, 2));
  assert(ghcomp_deque_look(&own) == 0 && ghcomp_deque_stolen(&own) == 2); /* the last one was the owner's, at the top */
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

/* ------------------------------------------------------------------- positions */

enum { ROOM = 8 };

static struct deque positions;
static struct task *element[ROOM]; /* by position modulo ROOM; the deque's protocol guards it */

static struct task **at(int64_t position)
{
  return &element[position % ROOM];
}

static void *thief_of_positions(void *unused)
{
  while (load_relaxed(&total) < TASKS) {
    int64_t oldest = ghcomp_deque_oldest(&positions);
    if (oldest == DEQUE_NONE)
      continue;
    struct task *task = __atomic_load_n(at(oldest), __ATOMIC_RELAXED); /* if it is overwritten, the steal fails */
    if (ghcomp_deque_claim_oldest(&positions, oldest))
      have(task);
  }
  return unused;
}

static void take_youngest(void)
{
  int64_t youngest = ghcomp_deque_youngest(&positions);
  struct task *task = youngest != DEQUE_NONE ? *at(youngest) : NULL;
  if (task != NULL && ghcomp_deque_claim_youngest(&positions, youngest))
    have(task);
}

static void push_position(struct task *task, bool quietly)
{
  int64_t position;
  while ((position = ghcomp_deque_free_position(&positions, ROOM)) == DEQUE_NONE)
    take_youngest();
  __atomic_store_n(at(position), task, __ATOMIC_RELAXED);
  if (quietly)
    ghcomp_deque_offer_quietly(&positions, position);
  else
    ghcomp_deque_offer(&positions, position);
}

static void give_positions_away(void)
{
  pthread_t threads[THIEVES];
  memset((void *)taken, 0, sizeof taken);
  store_relaxed(&total, 0);
  ghcomp_deque_reset(&positions);
  assert(ghcomp_deque_youngest(&positions) == DEQUE_NONE && ghcomp_deque_oldest(&positions) == DEQUE_NONE);
  for (int i = 0; i < THIEVES; i++)
    pthread_create(&threads[i], NULL, thief_of_positions, NULL);
  for (int i = 0; i < TASKS; i++) {
    push_position(&tasks[i], i % 2 == 0);
    if (i % 3 == 0)
      take_youngest();
  }
  while (load_relaxed(&total) < TASKS)
    take_youngest();
  for (int i = 0; i < THIEVES; i++)
    pthread_join(threads[i], NULL);
  assert(load_relaxed(&total) == TASKS && load_relaxed(&positions.array) == NULL);
}

int main(void)
{
  pthread_t threads[THIEVES];
  tasks = calloc(TASKS, sizeof *tasks);
  order();
  seen();
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
  give_positions_away();
  return 0;
}
