/* usage: shared THREADS NS     each thread works so long, in pieces of 1 us, on the processors that there are; until the last one
   has ended, ns
   usage: shared 2 spin|yield   on one processor the second thread waits for the first one's store, looking or yielding; until it has
   seen it, ns */
#include "together.h"

#include <sched.h>
#include <string.h>

static _Alignas(128) _Atomic int stored;
static double ns, last;
static bool yields;

static void *work(void *unused)
{
  wait_until(BEGIN);
  for (double left = ns; left > 0; left -= 1000)
    scale_work(1000);
  last = scale_now() > last ? scale_now() : last;
  return unused;
}

static void *wait_or_store(void *waiting)
{
  if (waiting == NULL) {
    wait_until(BEGIN); /* its slice is over then */
    atomic_store(&stored, 1);
    return NULL;
  }
  while (!atomic_load(&stored))
    if (yields)
      sched_yield();
    else
      scale_work(100);
  last = scale_now();
  return NULL;
}

int main(int count, char **arguments)
{
  if (count < 3)
    return 2;
  yields = strcmp(arguments[2], "yield") == 0;
  ns = atof(arguments[2]);
  run_together(atoi(arguments[1]), ns > 0 ? work : wait_or_store);
  printf("%.4f\n", last - BEGIN);
  return 0;
}
