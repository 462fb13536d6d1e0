/* What the fuzzers of files share: random numbers that follow from a seed, and values that readers of numbers get wrong.  */
#ifndef TEST_FUZZ_INPUTS_DAMAGE_H
#define TEST_FUZZ_INPUTS_DAMAGE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t random_state;

static inline void seed_random(const char *seed)
{
  random_state = strtoull(seed, NULL, 0) * 2 + 1;
}

static inline uint64_t next_random(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state * 0x2545F4914F6CDD1D;
}

static inline void must(bool ok, const char *what)
{
  if (ok)
    return;
  perror(what);
  exit(2);
}

#endif
