/* Ten threads start regions of many sizes, long enough that the regions meet.  Some wait
   inside for another thread's region.  Some first ask, once or twice, how many threads a region
   would get, and then begin one that needs as many.  */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MASTERS = 10, REGIONS = 300, LOOP = 400 };

static atomic_int given[MASTERS / 2]; /* the even thread of each pair gives, the odd one takes */

static long work(long x)
{
  for (int i = 0; i < 50; i++)
    x = x * 3 + 1;
  return x;
}

/* A region that is smaller than the answer would wait for ever.  */
static void ask_first(int threads)
{
  atomic_int begun = 0;
  omp_set_num_threads(threads);
  int told = omp_get_max_threads();
  if (told == 3)
    told = omp_get_max_threads();
#pragma omp parallel
  {
    begun++;
    while (begun < told)
      sched_yield();
  }
}

static void *start_regions(void *argument)
{
  long number = (long)argument, expected = 0;
  for (long i = 0; i < LOOP; i++)
    expected += work(i);
  for (int r = 0; r < REGIONS; r++) {
    long sum = 0;
    omp_set_dynamic((r + number) % 3 == 0);
#pragma omp parallel for reduction(+ : sum) num_threads(1 + (r + number) % 5)
    for (long i = 0; i < LOOP; i++)
      sum += work(i);
    if (sum != expected)
      abort();
    if (r % 4 == number % 4)
      ask_first(1 + (int)(r + number) % 3);
    if (r % 10 != 0)
      continue;
#pragma omp parallel num_threads(2)
    {
#pragma omp master
      {
        if (number % 2 == 0)
          given[number / 2]++;
        else
          while (given[number / 2] <= r / 10)
            sched_yield();
      }
    }
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[MASTERS];
  for (long i = 0; i < MASTERS; i++)
    if (pthread_create(&threads[i], NULL, start_regions, (void *)i) != 0)
      return 2;
  for (int i = 0; i < MASTERS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
