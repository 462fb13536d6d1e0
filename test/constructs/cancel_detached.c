/* A cancelled group does not wait for the events of detached tasks that have not begun: their bodies would have fulfilled them, or
   given them to somebody.  Whoever has such an event may still fulfill it, also when the region has ended and other tasks are detached.
   env: OMP_CANCELLATION=true */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TASKS = 30, ROUNDS = 200 };

static _Atomic int begun[TASKS], over;
static _Atomic uintptr_t given[TASKS];
static uintptr_t of_last_round[TASKS]; /* whose tasks have not begun */

/* Each body fulfills its own event; the group is cancelled by another task.  */
static void of_bodies(void)
{
#pragma omp taskgroup
  for (int i = 0; i < TASKS; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event)
    omp_fulfill_event(event);
    if (i == TASKS / 2) {
#pragma omp task
      {
#pragma omp cancel taskgroup
      }
    }
  }
}

/* The second of a line cancels the others, which wait for it.  */
static int in_a_line(void)
{
  int count = 0;
#pragma omp taskgroup
  for (int i = 0; i < TASKS; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : count) shared(count)
    {
      omp_fulfill_event(event);
      count++;
      if (count == 2) {
#pragma omp cancel taskgroup
      }
    }
  }
  return count;
}

/* Fulfills the events of tasks that have begun, and those that the last round has left.  */
static void *fulfill(void *nothing)
{
  for (int last = 0, look = 0; !last || look < TASKS; look++) {
    last = over;
    for (int i = 0; i < TASKS; i++) {
      uintptr_t event = begun[i] ? atomic_exchange(&given[i], 0) : 0;
      if (event != 0)
        omp_fulfill_event((omp_event_handle_t)event);
    }
    if (look < TASKS && of_last_round[look] != 0)
      omp_fulfill_event((omp_event_handle_t)of_last_round[look]);
    sched_yield();
  }
  return nothing;
}

/* Its creator gives each event away.  Where the group is cancelled already, it may make no task, and there is no event.  */
static void given_away(void)
{
#pragma omp taskgroup
  for (int i = 0; i < TASKS; i++) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) firstprivate(i)
    begun[i] = 1;
    given[i] = (uintptr_t)event;
    if (i == TASKS / 2) {
#pragma omp task
      {
#pragma omp cancel taskgroup
      }
    }
  }
}

int main(void)
{
  int wrong = 0;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t other;
    memset((void *)begun, 0, sizeof begun);
    over = 0;
    pthread_create(&other, NULL, fulfill, NULL);
#pragma omp parallel num_threads(1 + round % 4) reduction(+ : wrong)
#pragma omp single
    {
      of_bodies();
      wrong += in_a_line() != 2;
      given_away();
    }
    over = 1;
    pthread_join(other, NULL);
    for (int i = 0; i < TASKS; i++)
      of_last_round[i] = atomic_exchange(&given[i], 0);
  }
  printf("lines of another length: %d\n", wrong);
  return wrong != 0;
}
