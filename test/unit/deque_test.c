/* storey: task */
/* The deque alone: order at both ends, growth, refusal, and batches.  An owner and three thieves take each
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

/* A thief takes the first quarter of many, and the owner refuses those that have seen many when it comes near.  */
static void batches(void)
{
  struct deque own = {0};
  struct task *batch[BATCH_MOST];
  assert(ghcomp_deque_steal_batch(&own, batch) == 0);
  for (int i = 0; i < 17; i++)
    ghcomp_deque_push(&own, &tasks[i]);
  assert(ghcomp_deque_steal_batch(&own, batch) == 4);
  for (int i = 0; i < 4; i++)
    assert(batch[i] == &tasks[i]);
  for (int i = 16; i > 11; i--)
    assert(ghcomp_deque_take(&own, NULL, NULL) == &tasks[i]);
  struct deque_seen many = ghcomp_deque_look_oldest(&own);
  assert(many.length == 8 && many.oldest == 4);
  for (int i = 11; i > 6; i--)
    assert(ghcomp_deque_take(&own, NULL, NULL) == &tasks[i]);
  assert(!ghcomp_deque_claim_seen(&own, many, 2));
  assert(ghcomp_deque_length(&own) == 3 && ghcomp_deque_oldest(&own) == 4);
  assert(ghcomp_deque_steal_batch(&own, batch) == 1 && batch[0] == &tasks[4]);
  assert(ghcomp_deque_take(&own, NULL, NULL) == &tasks[6] && ghcomp_deque_take(&own, NULL, NULL) == &tasks[5]);
  assert(ghcomp_deque_take(&own, NULL, NULL) == NULL && ghcomp_deque_look(&own) == 0 && ghcomp_deque_stolen(&own) == 5);
}

/* Positions are compared in halves of words, which overflow.  */
static void far_on(void)
{
  struct deque own = {0};
  int64_t near = ((int64_t)1 << 32) - 3;
  store_relaxed(&own.bottom, near);
  ghcomp_deque_forget(&own);
  assert(ghcomp_deque_is_empty(&own) && ghcomp_deque_look(&own) == 0 && !ghcomp_deque_may_hold(&own, near - 1));
  for (int i = 0; i < 8; i++)
    ghcomp_deque_push(&own, &tasks[i]);
  struct task *batch[BATCH_MOST];
  assert(ghcomp_deque_oldest(&own) == near && ghcomp_deque_length(&own) == 8);
  assert(ghcomp_deque_steal_batch(&own, batch) == 2 && batch[1] == &tasks[1]);
  assert(ghcomp_deque_steal(&own, NULL, NULL) == &tasks[2] && ghcomp_deque_steal(&own, NULL, NULL) == &tasks[3]);
  assert(!ghcomp_deque_may_hold(&own, near + 3) && ghcomp_deque_may_hold(&own, near + 4) && !ghcomp_deque_may_hold(&own, DEQUE_NONE));
  assert(ghcomp_deque_claim_oldest(&own, near + 4));
  for (int i = 7; i > 4; i--)
    assert(ghcomp_deque_take(&own, NULL, NULL) == &tasks[i]);
  assert(ghcomp_deque_is_empty(&own));
}

static void *thief(void *takes_batches)
{
  while (load_relaxed(&total) < TASKS) {
    struct task *batch[BATCH_MOST] = {NULL};
    int n = 1;
    if (takes_batches != NULL)
      n = ghcomp_deque_steal_batch(&deque, batch);
    else
      batch[0] = ghcomp_deque_steal(&deque, NULL, NULL);
    for (int i = 0; i < n; i++)
      if (batch[i] != NULL)
        have(batch[i]);
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
  batches();
  far_on();
  for (int i = 0; i < THIEVES; i++)
    pthread_create(&threads[i], NULL, thief, i == 0 ? NULL : &deque);
  for (int i = 0; i < TASKS;) {
    for (int most = i % 29; i < TASKS && most >= 0; most--, i++) /* more than thieves take at once, and fewer */
      ghcomp_deque_push(&deque, &tasks[i]);
    for (int most = i % 23; most > 0; most--) {
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
