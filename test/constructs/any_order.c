/* schedule(dynamic) without `monotonic`: every iteration must be executed once.  The loops have about as
   many iterations as threads, up to some thousands; several run at a time; and other members execute the
   chunks of a member that arrives late.  */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { LOOPS = 40, MOST = 3000, LONG = 50000 };

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

/* Loops of many short iterations, of which members get more and more at a time; some iterations are long.  Each
   iteration also says how many have come before it in its thread, in order if the loop is monotonic.  */
static void long_loop(int threads, omp_sched_t kind, int chunk, int count)
{
  static unsigned char times[LONG];
  int last = -1, number = 0, backward = 0;
  memset(times, 0, sizeof times);
  omp_set_schedule(kind, chunk);
#pragma omp parallel num_threads(threads) reduction(+ : backward)
  {
    int before = -1;
#pragma omp for schedule(runtime) lastprivate(last) linear(number : 3)
    for (int i = 0; i < count; i++) {
      if (i % 4099 == 0)
        linger(2000);
      backward += i < before;
      before = i;
      times[i]++;
      last = i;
      number += 3;
    }
#pragma omp for schedule(runtime)
    for (unsigned long long i = count; i > 0; i--)
      times[i - 1]++;
  }
  if ((last != count - 1 || number != 3 * count || (backward != 0 && kind & omp_sched_monotonic)) && wrong++ < 10)
    printf("%d threads, schedule %x, %d: %d iterations: lastprivate %d, linear %d, %d times backward\n", threads,
           (unsigned)kind, chunk, count, last, number, backward);
  for (int i = 0; i < count; i++)
    if (times[i] != 2 && wrong++ < 10)
      printf("%d threads, schedule %x, %d: iteration %d of %d executed %d times, not twice\n", threads, (unsigned)kind,
             chunk, i, count, times[i]);
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
    for (int chunk = 1; chunk < 200; chunk += 1 + chunk * 3)
      for (int shorter = 0; shorter < 3; shorter++) {
        long_loop(threads, omp_sched_dynamic, chunk, LONG - shorter);
        long_loop(threads, omp_sched_dynamic | omp_sched_monotonic, chunk, LONG - shorter);
        long_loop(threads, omp_sched_guided | omp_sched_monotonic, chunk, LONG - shorter);
      }
  }
  return wrong != 0;
}
