/* schedule(dynamic) without `monotonic`: every iteration must be executed once.  The loops have about as
   many iterations as threads, up to some thousands; several run at a time; and other members execute the
   chunks of a member that arrives late.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { LOOPS = 40, MOST = 3000 };

static _Atomic int done[LOOPS][MOST];
static int wrong;

static void linger(int turns)
{
  for (volatile int i = 0; i < turns; i++)
    ;
}

/* Loops in a row without a barrier between them; thread `late` arrives late at each one.  */
static void in_flight(int threads, int count, int chunk, int late)
{
  memset((void *)done, 0, sizeof done);
#pragma omp parallel num_threads(threads)
  for (int loop = 0; loop < LOOPS; loop++) {
    if (omp_get_thread_num() == late)
      linger(2000);
#pragma omp for schedule(nonmonotonic : dynamic, chunk) nowait
    for (int i = 0; i < count; i++) {
      if (i % 7 == 0)
        linger(20);
      done[loop][i]++;
    }
  }
  for (int loop = 0; loop < LOOPS; loop++)
    for (int i = 0; i < count; i++)
      if (done[loop][i] != 1 && wrong++ < 10)
        printf("%d threads, %d iterations by %d, loop %d: iteration %d executed %d times\n",
               threads, count, chunk, loop, i, (int)done[loop][i]);
}

/* A loop that counts down, with a step and an unsigned type.  */
static void downward(int threads)
{
  memset((void *)done, 0, sizeof done);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 3)
  for (unsigned long long i = 2999; i > 10; i -= 3)
    done[0][i]++;
  for (int i = 0; i < MOST; i++)
    if (done[0][i] != (i > 10 && i % 3 == 2) && wrong++ < 10)
      printf("%d threads, downward: iteration %d executed %d times\n", threads, i, (int)done[0][i]);
}

/* lastprivate and linear get the values of the last iteration, whichever thread executes it.  */
static void last_values(int threads, int count)
{
  int value = -1, number = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 2) lastprivate(value) linear(number : 3)
  for (int i = 0; i < count; i++) {
    if (i % 5 == threads % 5)
      linger(200);
    value = i;
    number += 3;
  }
  if ((value != count - 1 || number != 3 * count) && wrong++ < 10)
    printf("%d threads, %d iterations: lastprivate %d, linear %d\n", threads, count, value, number);
}

int main(void)
{
  omp_set_dynamic(0);
  int counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 500, MOST};
  for (int threads = 1; threads <= 8; threads++) {
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++)
      in_flight(threads, counts[k], 1 + (int)k % 4, (int)k % threads);
    downward(threads);
    for (int count = 1; count < 400; count += 1 + count / 8)
      for (int again = 0; again < 20; again++)
        last_values(threads, count);
  }
  return wrong != 0;
}
