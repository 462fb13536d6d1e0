/* Many threads call libraries of every kind from several places: libraries that hold a lock from their question until after
   their region, and spin for it; libraries that have none; some that sleep in the region, compute before or after it, have
   several regions for a question, none, or a region inside a region.  Threads end at random, also right after a question and
   inside a region, and others begin.  Every region has as many threads as its question was told, and all ends.  */
#include "../../bench/workloads/places_that_ask.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum { MOST_LINES = 100, LIVES = 6, CALLS = 40, LIBRARIES = 3 };

static _Atomic int wrong;
static atomic_flag locks[LIBRARIES] = {ATOMIC_FLAG_INIT, ATOMIC_FLAG_INIT, ATOMIC_FLAG_INIT};
static long guarded[LIBRARIES]; /* each by the lock */

struct caller {
  unsigned random;
  int told; /* by its last question */
};

static unsigned random_below(struct caller *self, unsigned limit)
{
  self->random = self->random * 1103515245 + 12345;
  return self->random / 65536 % limit;
}

static void compute(unsigned rounds)
{
  for (unsigned i = 0; i < rounds * 500; i++)
    __asm__ volatile("");
}

static void sleep_for(long nanoseconds)
{
  struct timespec pause = {0, nanoseconds};
  nanosleep(&pause, NULL);
}

/* Regions of three libraries: each function that is outlined is another body.  */
static void region_of(struct caller *self, unsigned library, unsigned rounds, long sleeps)
{
  int members = 0;
  if (library == 0) {
#pragma omp parallel reduction(+ : members)
    {
      members++;
      compute(rounds);
    }
  } else if (library == 1) {
#pragma omp parallel reduction(+ : members)
    {
      members++;
      compute(rounds);
      if (sleeps != 0)
        sleep_for(sleeps);
    }
  } else {
#pragma omp parallel reduction(+ : members)
    {
      members++;
#pragma omp parallel num_threads(2) if (sleeps != 0)
      compute(rounds);
    }
  }
  wrong += members != self->told;
}

/* With a lock that is held from before the region until after it.  */
static void call_locked(struct caller *self, unsigned library)
{
  self->told = asks[library * 2]();
  while (atomic_flag_test_and_set_explicit(&locks[library], memory_order_acquire))
    sched_yield();
  guarded[library]++;
  region_of(self, library, 1 + random_below(self, 200), 0);
  atomic_flag_clear_explicit(&locks[library], memory_order_release);
}

static void call_free(struct caller *self, unsigned library)
{
  self->told = asks[library * 2 + 1]();
  compute(random_below(self, 100));
  for (unsigned i = 1 + random_below(self, 3); i > 0; i--)
    region_of(self, library, random_below(self, 200), random_below(self, 8) == 0 ? 300000 : 0);
}

static void call_something(struct caller *self)
{
  switch (random_below(self, 8)) {
  case 0:
    call_free(self, 1 + random_below(self, LIBRARIES - 1)); /* never the first library, which has a lock */
    break;
  case 1:
    asks[random_below(self, 6)](); /* and no region */
    compute(random_below(self, 1000));
    break;
  case 2:
    sleep_for(random_below(self, 500000));
    break;
  default:
    call_locked(self, random_below(self, 16) == 0 ? 1 + random_below(self, LIBRARIES - 1) : 0);
  }
}

static void end_in_region(struct caller *self)
{
  asks[random_below(self, 6)]();
#pragma omp parallel
#pragma omp master
  pthread_exit(NULL);
}

static void *live(void *seed)
{
  struct caller self = {(unsigned)(uintptr_t)seed * 2654435761u, 0};
  omp_set_num_threads(1 + (int)random_below(&self, 3));
  for (unsigned calls = random_below(&self, CALLS); calls > 0; calls--)
    call_something(&self);
  if (random_below(&self, 3) == 0)
    asks[random_below(&self, 6)](); /* it ends with a turn, perhaps */
  if (random_below(&self, 16) == 0)
    end_in_region(&self);
  return NULL;
}

/* One short life after the other.  */
static void *line(void *seed)
{
  for (uintptr_t life = 0; life < LIVES; life++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, live, (void *)((uintptr_t)seed * LIVES + life + 1)) != 0)
      return (void *)1;
    pthread_join(thread, NULL);
  }
  return NULL;
}

static int run(int count)
{
  pthread_t lines[MOST_LINES];
  int failed = 0;
  for (int i = 0; i < count; i++)
    if (pthread_create(&lines[i], NULL, line, (void *)(uintptr_t)(count * i)) != 0)
      return 2;
  for (int i = 0; i < count; i++) {
    void *result;
    pthread_join(lines[i], &result);
    failed |= result != NULL;
  }
  return failed;
}

int main(void)
{
  return run(8) || run(25) || run(MOST_LINES) || wrong != 0;
}
