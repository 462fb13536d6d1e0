/* Untied tasks wait for each other by taskyield and keep their data across parts and taskgroups.  A task is
   complete only when its last part is (5.2, 12.5, 12.7).  Each task has many parts.  */
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>

enum { PLAYERS = 3, TURNS = 100 };

/* Players take turns; each must give up its thread while it waits.  */
static int round_table(void)
{
  atomic_int turn = 0;
  int finished = 0;
  for (int me = 0; me < PLAYERS; me++) {
#pragma omp task untied firstprivate(me) shared(turn, finished)
    {
      for (int i = 0; i < TURNS; i++) {
        while (atomic_load(&turn) % PLAYERS != me) {
#pragma omp taskyield
        }
        atomic_fetch_add(&turn, 1);
      }
#pragma omp atomic
      finished++;
    }
  }
#pragma omp taskwait
  return finished == PLAYERS && atomic_load(&turn) == PLAYERS * TURNS;
}

/* The waiting task begins first.  The task that it waits for is created later, among many others.  */
static int late(void)
{
  atomic_int flag = 0;
  int seen = 0;
#pragma omp task untied shared(flag, seen)
  {
    while (!atomic_load(&flag)) {
#pragma omp taskyield
    }
    seen = 1;
  }
  for (int i = 0; i < 50; i++) {
#pragma omp task shared(flag) firstprivate(i)
    if (i == 25)
      atomic_store(&flag, 1);
  }
#pragma omp taskwait
  return seen;
}

/* Children, taskwaits, groups and yields in one body; its data must survive.  */
static long work(int depth)
{
  long a = 0, b = 0, sum = depth;
  if (depth == 0)
    return 1;
#pragma omp task untied shared(a) firstprivate(depth)
  {
    long before = depth * 3;
#pragma omp taskyield
    a = work(depth - 1);
#pragma omp taskyield
    a += before;
  }
#pragma omp task untied shared(b) firstprivate(depth)
  {
    long inner = 0, large[40];
    for (int i = 0; i < 40; i++)
      large[i] = i * depth;
#pragma omp taskgroup
    {
#pragma omp task shared(inner) firstprivate(depth)
      inner = work(depth - 1);
#pragma omp taskyield
    }
#pragma omp taskyield
    b = inner + large[39];
  }
#pragma omp taskwait
  return sum + a + b;
}

static long expected(int depth)
{
  return depth == 0 ? 1 : depth + 2 * expected(depth - 1) + depth * 3 + 39 * depth;
}

/* A region must not end before the last part of each task.  */
static int until_the_barrier(int threads)
{
  int count = 0;
#pragma omp parallel num_threads(threads)
  for (int i = 0; i < 20; i++) {
#pragma omp task untied shared(count)
    {
      for (int k = 0; k < 10; k++) {
#pragma omp taskyield
      }
#pragma omp atomic
      count++;
    }
  }
  return count == threads * 20;
}

int main(void)
{
  for (int r = 0; r < 20; r++) {
    int threads = 2 + r % 5 / 4, table = 0, flag = 0;
    long sum = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp single
      table = round_table();
#pragma omp single
      flag = late();
#pragma omp single
      sum = work(7);
    }
    if (!table || !flag || sum != expected(7) || !until_the_barrier(1 + r % 4)) {
      printf("round %d: table %d late %d sum %ld of %ld\n", r, table, flag, sum, expected(7));
      return 1;
    }
  }
  return 0;
}
