/* Only delays, for the Haskell package, whose build cannot link inject.c.  GHCOMP_DELAYS=N delays a
   thread after one in N atomic operations.  */
#ifndef GHCOMP_TEST_FAULTS_DELAY_H
#define GHCOMP_TEST_FAULTS_DELAY_H

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline void ghcomp_faults_hold_up(uint64_t random)
{
  int saved = errno;
  struct timespec time = {0, (long)((random >> 8) % (random % 16 == 1 ? 1000000 : 50000))};
  if (random % 2 == 0)
    for (unsigned i = (random >> 8) % 16; i > 0; i--)
      sched_yield();
  else
    nanosleep(&time, NULL);
  errno = saved;
}

static inline void ghcomp_faults_delay_one_in(unsigned rarer)
{
  static _Atomic unsigned often; /* the setting plus 1; 0: not read yet */
  static _Thread_local uint64_t state;
  unsigned rate = atomic_load_explicit(&often, memory_order_relaxed);
  if (rate == 0) {
    const char *text = getenv("GHCOMP_DELAYS");
    rate = 1 + (text != NULL ? (unsigned)strtoul(text, NULL, 10) : 0);
    atomic_store_explicit(&often, rate, memory_order_relaxed);
  }
  if (rate == 1)
    return;
  if (state == 0)
    state = (uint64_t)(uintptr_t)&state * 0x9e3779b97f4a7c15u;
  state = state * 6364136223846793005u + 1442695040888963407u;
  uint64_t random = state >> 20;
  if (random % ((rate - 1) * rarer) == 0)
    ghcomp_faults_hold_up(random / ((rate - 1) * rarer));
}

static inline void ghcomp_faults_delay(void)
{
  ghcomp_faults_delay_one_in(1);
}

static inline void ghcomp_faults_delay_rarely(void)
{
  ghcomp_faults_delay_one_in(8);
}

#endif
