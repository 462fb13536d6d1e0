/* Tasks: recursion, dependences of every kind, taskgroups, priorities, and
   events fulfilled by a thread that is in no team.
   env: OMP_MAX_TASK_PRIORITY=10 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int fib(int n)
{
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

/* A chain of writers with groups of readers between them.  Each reader sees what the writer before
   it wrote.  */
static int chain(void)
{
  int value = 0, wrong = 0;
  for (int i = 1; i <= 40; i++) {
#pragma omp task depend(inout : value) shared(value)
    value++;
    for (int r = 0; r < 4; r++) {
#pragma omp task depend(in : value) shared(value, wrong) firstprivate(i)
      if (value != i) {
#pragma omp atomic
        wrong++;
      }
    }
  }
#pragma omp taskwait
  return wrong == 0 && value == 40;
}

static int group(void)
{
  int done = 0;
#pragma omp taskgroup
  {
    for (int i = 0; i < 30; i++) {
#pragma omp task shared(done) priority(i % 7)
      {
#pragma omp task shared(done)
#pragma omp atomic
        done++;
      }
    }
  }
  return done == 30;
}

static void *fulfill(void *event)
{
  omp_fulfill_event((omp_event_handle_t)(size_t)event);
  return NULL;
}

static int events(void)
{
  int after = 0;
  pthread_t threads[8];
  omp_event_handle_t event;
  for (int i = 0; i < 8; i++) {
#pragma omp task detach(event) depend(out : after)
    {
    }
    pthread_create(&threads[i], NULL, fulfill, (void *)(size_t)event);
#pragma omp task depend(inout : after) shared(after)
    after++;
  }
#pragma omp taskwait
  for (int i = 0; i < 8; i++)
    pthread_join(threads[i], NULL);
  return after == 8;
}

int main(void)
{
  for (int r = 0; r < 15; r++) {
    int f = 0, c = 0, g = 0, e = 0;
#pragma omp parallel num_threads(1 + r % 5)
    {
#pragma omp single nowait
      f = fib(14);
#pragma omp single nowait
      c = chain();
#pragma omp single nowait
      g = group();
#pragma omp single
      e = events();
    }
    if (f != 377 || !c || !g || !e) {
      printf("round %d: fib %d chain %d group %d events %d\n", r, f, c, g, e);
      return 1;
    }
  }
  return 0;
}
