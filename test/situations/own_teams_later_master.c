/* A master with attributes of its own starts a region, and lives on without regions, or ends.  Then a master with the process's
   attributes starts one: its team has these, and not what the first one's worker inherited.  Where an idle worker of the
   first master served the second one, it had the first one's processor, nice value, blocked signals and rounding.
   link: -lm */
#include "inherited.h"

#include <omp.h>
#include <pthread.h>

static pthread_barrier_t turn;
static int lives_on, wrong;

static void region(void)
{
  struct inherited own = inherited_look();
  int others = 0;
#pragma omp parallel num_threads(2) reduction(+ : others)
  others += inherited_differs(&own);
  if (others != 0)
    __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void *start_first(void *number)
{
  inherited_set((long)number);
  region();
  if (lives_on) {
    pthread_barrier_wait(&turn);
    pthread_barrier_wait(&turn);
  }
  return NULL;
}

static void *start_second(void *nothing)
{
  region();
  return nothing;
}

static void two_masters(long number)
{
  pthread_t first, second;
  if (pthread_create(&first, NULL, start_first, (void *)number) != 0)
    exit(2);
  if (lives_on)
    pthread_barrier_wait(&turn);
  else
    pthread_join(first, NULL);
  if (pthread_create(&second, NULL, start_second, NULL) != 0)
    exit(2);
  pthread_join(second, NULL);
  if (!lives_on)
    return;
  pthread_barrier_wait(&turn);
  pthread_join(first, NULL);
}

int main(void)
{
  pthread_barrier_init(&turn, NULL, 2);
  for (long number = 0; number < 8; number++) {
    lives_on = number % 2 == 0;
    two_masters(number);
  }
  return wrong;
}
