/* Sixty-four threads, more than there are processors, each execute a chain of tasks: a task creates
   small tasks and its successor.  All stacks together must stay as small as those of a few threads.  */
#include "peak.h"

#include <omp.h>
#include <string.h>

enum { THREADS = 64, LINKS = 1000, LEAVES = 30, MOST_KIB = 14 * 1024 };

static long links;

static __attribute__((noinline)) void chain(int left)
{
  volatile char local[256];
  memset((void *)local, left, sizeof local);
#pragma omp atomic
  links++;
  for (int i = 0; i < LEAVES; i++) {
#pragma omp task
    __asm__ volatile("" ::: "memory");
  }
  if (left > 1) {
#pragma omp task
    chain(left - 1);
  }
  if (local[17] != (char)left)
    __builtin_trap();
}

int main(void)
{
  int threads = 0;
#pragma omp parallel num_threads(THREADS)
  {
#pragma omp single
    threads = omp_get_num_threads();
    chain(LINKS);
  }
  long peak = peak_kib();
  if (threads != THREADS || links != (long)THREADS * LINKS)
    return printf("%d threads, %ld links\n", threads, links), 1;
  if (omp_get_num_procs() <= THREADS / 8 && peak > MOST_KIB)
    return printf("peak %ld KiB, expected %d at most\n", peak, MOST_KIB), 1;
  return 0;
}
