/* Two masters exchange 20 000 values, one in each region, through memory and through pipes, without a question and after
   one.  Each region waits inside for the other master's, so neither may wait for the other one's end.  Where a question
   waited 50 ms for a region that goes on, a thousand values took a minute.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>
#include <sched.h>
#include <unistd.h>

enum { VALUES = 5000 }; /* of each way */

static long given[2];
static int pipes[2][2], asks, by_pipe, wrong;

static void exchange(long me, long value)
{
  long other = value;
  if (by_pipe) {
    if (write(pipes[me][1], &value, sizeof value) != sizeof value || read(pipes[!me][0], &other, sizeof other) != sizeof other)
      other = -1;
  } else {
    __atomic_store_n(&given[me], value, __ATOMIC_RELEASE);
    while (__atomic_load_n(&given[!me], __ATOMIC_ACQUIRE) < value)
      sched_yield();
  }
  if (other != value)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void *start_regions(void *number)
{
  for (long value = 1; value <= VALUES; value++) {
    if (asks && omp_get_max_threads() != 2)
      __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
#pragma omp parallel
#pragma omp master
    exchange((long)number, value);
  }
  return number;
}

int main(void)
{
  if (pipe(pipes[0]) != 0 || pipe(pipes[1]) != 0)
    return 2;
  for (int way = 0; way < 4; way++) {
    asks = way % 2;
    by_pipe = way / 2;
    given[0] = given[1] = 0;
    run_masters(2, start_regions);
  }
  return wrong;
}
