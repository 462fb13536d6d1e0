/* Regions that ask for a thread that the system refuses.  The program's own pthread_create plays
   the system.  Under libgomp, which would end the program, it refuses nothing.  */
#include "soak.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

static int refuses;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *argument)
{
  static int (*original)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (original == NULL)
    *(void **)&original = dlsym(RTLD_NEXT, "pthread_create");
  return refuses ? EAGAIN : original(thread, attributes, body, argument);
}

static int region(int threads)
{
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum++;
  return sum;
}

int main(int count, char **arguments)
{
  long rounds = soak_rounds(count, arguments), right = region(2) == 2;
  refuses = dlsym(RTLD_DEFAULT, "ghcomp_version") != NULL;
  for (long i = 0; i < rounds; i++)
    right += region(refuses ? 3 : 2) == 2;
  return soak_end(right == rounds + 1);
}
