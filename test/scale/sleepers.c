/* usage: sleepers THREADS     all but one sleep on a futex, then on one with a time-out of 1 ms, which passes.  One call wakes the
   first sleepers: the waker's time for it, and that from its begin until the last one runs; then the longest of the second sleeps.
   ns */
#include "together.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned word;
static int threads;
static double woken[MOST_THREADS], slept[MOST_THREADS], called, returned;

static void *sleep_twice(void *argument)
{
  long me = (long)argument;
  struct timespec ms = {0, 1000000};
  wait_until(BEGIN);
  if (me == 0) {
    scale_work(1e5);
    called = scale_now();
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, NULL, NULL, 0);
    returned = scale_now();
    return NULL;
  }
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  woken[me] = scale_now();
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &ms, NULL, 0);
  slept[me] = scale_now() - woken[me];
  return NULL;
}

int main(int count, char **arguments)
{
  double last = 0, longest = 0;
  threads = count > 1 ? atoi(arguments[1]) : 2;
  run_together(threads, sleep_twice);
  for (int i = 1; i < threads; i++) {
    last = woken[i] > last ? woken[i] : last;
    longest = slept[i] > longest ? slept[i] : longest;
  }
  printf("%.4f %.4f %.4f\n", returned - called, last - called, longest);
  return 0;
}
