/* Each section is executed once: in teams of all sizes, with more sections than threads, in constructs without a barrier, and if
   some threads come only when the others have executed all.
   each: OMP_DYNAMIC=false OMP_WAIT_POLICY=passive
   gcc: clang's code gives each section to a thread beforehand, so nobody else executes that of a late thread */
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { ROUNDS = 40, SECTIONS = 4 };

static _Atomic int done[ROUNDS][SECTIONS];
static int wrong;

static void expect(const char *what, int threads, int rounds)
{
  for (int r = 0; r < rounds; r++)
    for (int s = 0; s < SECTIONS; s++) {
      if (done[r][s] != 1 && wrong++ < 10)
        printf("%s, %d threads, round %d: section %d was executed %d times\n", what, threads, r, s, done[r][s]);
      done[r][s] = 0;
    }
}

static int all_of(int round)
{
  int sum = 0;
  for (int s = 0; s < SECTIONS; s++)
    sum += done[round][s];
  return sum;
}

/* Threads from `first` to `last` come when the others have executed all.  */
static void some_late(int threads, int first, int last)
{
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    while (me >= first && me <= last && all_of(0) < SECTIONS)
      sched_yield();
#pragma omp sections
    {
#pragma omp section
      done[0][0]++;
#pragma omp section
      done[0][1]++;
#pragma omp section
      done[0][2]++;
#pragma omp section
      done[0][3]++;
    }
  }
  expect("some late", threads, 1);
}

static void in_a_row(int threads)
{
#pragma omp parallel num_threads(threads)
  {
    for (int r = 0; r < ROUNDS; r++) {
#pragma omp sections nowait
      {
#pragma omp section
        done[r][0]++;
#pragma omp section
        done[r][1]++;
#pragma omp section
        done[r][2]++;
#pragma omp section
        done[r][3]++;
      }
    }
  }
  expect("in a row", threads, ROUNDS);
}

#define FOUR(r)                              \
  _Pragma("omp section") done[r][0]++;       \
  _Pragma("omp section") done[r][1]++;       \
  _Pragma("omp section") done[r][2]++;       \
  _Pragma("omp section") done[r][3]++;

static void many(int threads)
{
#pragma omp parallel num_threads(threads)
#pragma omp sections
  {
    FOUR(0) FOUR(1) FOUR(2) FOUR(3) FOUR(4)
  }
  expect("many", threads, 5);
}

int main(void)
{
  static const int sizes[] = {1, 2, 3, 4, 8, 9, 12, 17};
  for (int k = 0; k < 8; k++) {
    in_a_row(sizes[k]);
    many(sizes[k]);
    some_late(sizes[k], 1, sizes[k]);
    if (sizes[k] > 1) {
      some_late(sizes[k], 0, sizes[k] - 2);
      some_late(sizes[k], sizes[k] / 2, sizes[k] - 1);
    }
  }
  return wrong != 0;
}
