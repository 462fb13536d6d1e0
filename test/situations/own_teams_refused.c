/* Two masters of which each has a team, and then the system refuses threads.  One wants more threads than it has; the other one's
   idle team is still its own: the threads' threadprivate data lasts.  The program's pthread_create stands for the system.
   env: OMP_DYNAMIC=false
   stderr: ghcomp: a thread could not be created \(.*\): a region that wanted 6 threads runs with [345]; this is said once */
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

enum { OWN = 4, MORE = 6 };

static volatile int refuses;
static pthread_barrier_t together;

static int value;
#pragma omp threadprivate(value)

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
  static int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (original == NULL)
    *(void **)&original = dlsym(RTLD_NEXT, "pthread_create");
  return refuses ? EAGAIN : original(thread, attributes, body, argument);
}

static void set_values(void)
{
#pragma omp parallel num_threads(OWN)
  value = 100 + omp_get_thread_num();
}

static int values_that_last(void)
{
  int last = 0;
#pragma omp parallel num_threads(OWN) reduction(+ : last)
  last = value == 100 + omp_get_thread_num();
  return last;
}

static void *keep_values(void *last)
{
  set_values();
  pthread_barrier_wait(&together);
  pthread_barrier_wait(&together); /* meanwhile the other one is refused */
  *(int *)last = values_that_last();
  return NULL;
}

static int threads_of_larger_team(void)
{
  int threads = 0;
#pragma omp parallel num_threads(MORE)
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}

int main(void)
{
  int last = -1;
  pthread_t other;
  pthread_barrier_init(&together, NULL, 2);
  pthread_create(&other, NULL, keep_values, &last);
  set_values();
  pthread_barrier_wait(&together);
  refuses = 1;
  int threads = threads_of_larger_team();
  refuses = 0;
  pthread_barrier_wait(&together);
  pthread_join(other, NULL);
  printf("%d threads; %d of %d values last\n", threads, last, OWN);
  return threads < OWN || threads > MORE - 1 || last != OWN;
}
