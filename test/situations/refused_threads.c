/* While the system refuses threads, regions that want more than the pool has must neither leak nor ask
   each time; later they must get their threads.  The program's pthread_create stands for the system.
   stderr: ghcomp: a thread could not be created \(.*\): a region that wanted 4 threads runs with 2 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { REGIONS = 20000 }; /* the longer they take, the more often may they ask */

static volatile int refuses;
static long asked;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *argument)
{
  static int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (original == NULL)
    *(void **)&original = dlsym(RTLD_NEXT, "pthread_create");
  if (!refuses)
    return original(thread, attributes, body, argument);
  asked++;
  return EAGAIN;
}

static int region(int threads)
{
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum++;
  return sum;
}

int main(void)
{
  if (region(2) != 2)
    return 1;
  refuses = 1;
  if (region(4) != 2)
    return 2;
  size_t before = mallinfo2().uordblks;
  while (asked < 5) /* so that a leak would show */
    if (region(4) != 2)
      return 3;
  if (mallinfo2().uordblks != before) {
    fprintf(stderr, "%zu bytes for each thread refused\n", (mallinfo2().uordblks - before) / 4);
    return 4;
  }
  asked = 0;
  for (int i = 0; i < REGIONS; i++)
    if (region(4) != 2)
      return 5;
  if (asked > REGIONS / 4)
    return fprintf(stderr, "asked %ld times\n", asked), 6;
  refuses = 0;
  while (region(4) != 4) /* does not end if regions never ask again */
    ;
  return 0;
}
