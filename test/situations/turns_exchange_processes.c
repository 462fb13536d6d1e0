/* Two processes with two masters each: the first master of one exchanges values with the first of the other, and the second
   with the second, one value in each region, through shared memory.  Each process alone could let its masters on one after
   the other, but one may begin with its first and the other with its second master; then neither region ends.  Where
   regions and questions waited for such regions, 1000 values took half a minute.
   env: OMP_NUM_THREADS=2
   each: GHCOMP_TURNS=on GHCOMP_TURNS=off */
#include "masters.h"

#include <omp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

enum { PAIRS = 2, VALUES = 500 };

static long (*given)[2][8]; /* by pair and process; shared */
static int asks, process;

static void exchange(long pair, long value)
{
  __atomic_store_n(&given[pair][process][0], value, __ATOMIC_RELEASE);
  while (__atomic_load_n(&given[pair][!process][0], __ATOMIC_ACQUIRE) < value)
    sched_yield();
}

static void *start_regions(void *pair)
{
  for (long i = 1; i <= VALUES; i++) {
    if (asks && omp_get_max_threads() != 2)
      exit(3);
#pragma omp parallel
#pragma omp master
    exchange((long)pair, asks * VALUES + i);
  }
  return pair;
}

static void run_process(void)
{
  for (asks = 0; asks <= 1; asks++)
    run_masters(PAIRS, start_regions);
}

int main(void)
{
  given = mmap(NULL, PAIRS * sizeof *given, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (given == MAP_FAILED)
    return 2;
  pid_t child = fork();
  process = child == 0;
  if (process)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  run_process();
  if (process)
    _exit(0);
  int status = 1;
  return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}
