/* Detached tasks: the event is fulfilled before the body, in it, after it, by another task, or by a thread outside
   the team.  Dependences, taskwait and taskgroup must wait for it, also where the task may not be deferred (5.2, 12.5.2).  */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_uintptr_t later;

static void *fulfill(void *event)
{
  omp_fulfill_event((omp_event_handle_t)event);
  return NULL;
}

static void *fulfill_later(void *unused)
{
  uintptr_t event;
  while ((event = atomic_exchange(&later, 0)) == 0)
    ;
  omp_fulfill_event((omp_event_handle_t)event);
  return unused;
}

static int inside(void)
{
  omp_event_handle_t event = 0;
  int after = 0;
#pragma omp task detach(event) depend(out : after)
  omp_fulfill_event(event);
#pragma omp task depend(in : after) shared(after)
  after = 1;
#pragma omp taskwait
  return after == 1;
}

static int outside(void)
{
  omp_event_handle_t event = 0;
  pthread_t threads[16];
  int after = 0;
  for (int i = 0; i < 16; i++) {
#pragma omp task detach(event) depend(inout : after) firstprivate(i)
    {
    }
    pthread_create(&threads[i], NULL, fulfill, (void *)event);
#pragma omp task depend(inout : after) shared(after)
    after++;
  }
#pragma omp taskwait
  for (int i = 0; i < 16; i++)
    pthread_join(threads[i], NULL);
  return after == 16;
}

/* A thread outside gets the event only from the body.  */
static int from_the_body(void)
{
  omp_event_handle_t event = 0;
  pthread_t thread;
  int waited = 0;
  pthread_create(&thread, NULL, fulfill_later, NULL);
#pragma omp taskgroup
  {
#pragma omp task detach(event) untied
    {
#pragma omp taskyield
      atomic_store(&later, (uintptr_t)event);
    }
  }
  waited = atomic_load(&later) == 0;
  pthread_join(thread, NULL);
  return waited;
}

static int undeferred(void)
{
  omp_event_handle_t event = 0;
  pthread_t thread;
  int good = 1;
  pthread_create(&thread, NULL, fulfill_later, NULL);
#pragma omp task detach(event) if (0)
  atomic_store(&later, (uintptr_t)event);
  good &= atomic_load(&later) == 0;
  pthread_join(thread, NULL);
#pragma omp task final(1) shared(good)
  {
    omp_event_handle_t inner = 0;
    pthread_t other;
    pthread_create(&other, NULL, fulfill_later, NULL);
#pragma omp task detach(inner)
    atomic_store(&later, (uintptr_t)inner);
    good &= atomic_load(&later) == 0;
    pthread_join(other, NULL);
  }
#pragma omp taskwait
  return good;
}

static int by_another_task(void)
{
  omp_event_handle_t event = 0;
  int done = 0;
#pragma omp task detach(event)
  {
  }
#pragma omp task firstprivate(event) shared(done)
  {
    done = 1;
    omp_fulfill_event(event);
  }
#pragma omp taskwait
  return done;
}

int main(void)
{
  for (int r = 0; r < 60; r++) {
    int i = 0, o = 0, b = 0, u = 0, t = 0;
#pragma omp parallel num_threads(1 + r % 4)
    {
#pragma omp single
      i = inside();
#pragma omp single
      o = outside();
#pragma omp single
      b = from_the_body();
#pragma omp single
      u = undeferred();
#pragma omp single
      t = by_another_task();
    }
    if (!i || !o || !b || !u || !t) {
      printf("round %d: inside %d outside %d from the body %d undeferred %d task %d\n", r, i, o, b, u, t);
      return 1;
    }
  }
  return 0;
}
