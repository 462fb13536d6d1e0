/* usage: counter THREADS all|line|own|free     each thread adds 100 times: all to one counter, each to one of its own on a line of
   all, each to one on a line of its own, all to one without asking that the program's accesses count; the time in ns, and the
   transfers */
#include "together.h"

enum { ADDS = 100 };
static _Alignas(128) _Atomic unsigned long of_all;
static _Alignas(128) unsigned char on_a_line[64];
static _Alignas(128) struct { _Atomic unsigned long count; char pad[120]; } own[MOST_THREADS];
static char kind;
static double ends[MOST_THREADS];

static void *add(void *argument)
{
  long me = (long)argument;
  char of = kind;
  wait_until(BEGIN - 1000);
  if (of != 'f')
    scale_count_program(1);
  wait_until(BEGIN);
  for (int i = 0; i < ADDS; i++)
    if (of == 'a' || of == 'f')
      atomic_fetch_add(&of_all, 1);
    else if (of == 'o')
      atomic_fetch_add(&own[me].count, 1);
    else {
      on_a_line[me]++;
      scale_work(100);
    }
  double end = scale_now();
  wait_until(END);
  scale_count_program(0);
  ends[me] = end;
  return NULL;
}

int main(int count, char **arguments)
{
  int threads = count > 2 ? atoi(arguments[1]) : 0;
  double last = 0;
  if (threads < 1 || threads > MOST_THREADS)
    return 2;
  kind = arguments[2][0];
  if (kind == 'l' && threads > (int)sizeof on_a_line)
    return 2;
  unsigned long before = scale_counts().transfers;
  run_together(threads, add);
  for (int i = 0; i < threads; i++)
    last = ends[i] > last ? ends[i] : last;
  printf("%.4f %lu\n", last - BEGIN, scale_counts().transfers - before);
  return kind == 'a' && of_all != (unsigned long)threads * ADDS;
}
