/* What engine/scale.h declares, on the real machine: the rows then run on it as they do in the engine.  */
#include "scale.h"

#include <time.h>
#include <x86intrin.h>

static double clock_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The cycle counter is read in less time than the clock, and shorter times can be told.  */
static double per_cycle;
static uint64_t first_cycle;

__attribute__((constructor)) static void learn(void)
{
  double began = clock_ns(), now;
  first_cycle = __rdtsc();
  do
    now = clock_ns();
  while (now < began + 2e6);
  per_cycle = (now - began) / (double)(__rdtsc() - first_cycle);
}

double scale_now(void) { return (double)(__rdtsc() - first_cycle) * per_cycle; }

void scale_work(double ns)
{
  uint64_t began = __rdtsc(), cycles = (uint64_t)(ns / per_cycle);
  while (__rdtsc() - began < cycles)
    ;
}

void scale_pauses(double factor) { (void)factor; }
void scale_count_program(int yes) { (void)yes; }
struct scale_counts scale_counts(void) { return (struct scale_counts){0}; }
void scale_begin(void) {}
void scale_end(const char *row, double rounds) { (void)row, (void)rounds; }
