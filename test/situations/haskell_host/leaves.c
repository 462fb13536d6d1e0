/* Exit handlers start regions when the RTS has ended and freed its memory, also when it is the worker that runs them.  */
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

static void serial_part(void)
{
  for (int i = 0; i < 20000; i++)
    sink += i;
}

static int region(void)
{
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  threads++;
  return threads;
}

/* Meanwhile the worker waits for the next region.  */
static void go_on(void)
{
  int wrong = 0;
  for (int i = 0; i < 300; i++) {
    wrong += region() < 1;
    serial_part();
  }
  printf("after the end: %d wrong\n", wrong);
}

int leaves_region(void)
{
  atexit(go_on);
  return region();
}
