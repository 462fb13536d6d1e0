/* What wait/patience asks the machine: who else wants the processor, a quota, the kind of host, and time itself, simulated.  */
#ifndef TEST_PATIENCE_SIMULATION_H
#define TEST_PATIENCE_SIMULATION_H

#include "machine/processors.h"
#include "threads/substrate.h"
#include "wait/parking.h"
#include "expect.h"

#include <sched.h>
#include <time.h>

static uint64_t time_ns = 1000000000;
static bool crowded, quota, haskell, others;
static unsigned yields;

static void pass(uint64_t ns); /* the test's: time passes */

bool ghcomp_parking_is_crowded(void) { return crowded; }
bool ghcomp_machine_has_quota(void) { return quota; }
bool ghcomp_substrate_host_is_haskell(void) { return haskell; }

int clock_gettime(clockid_t clock, struct timespec *now)
{
  (void)clock;
  *now = (struct timespec){.tv_sec = (time_t)(time_ns / 1000000000), .tv_nsec = (long)(time_ns % 1000000000)};
  return 0;
}

int sched_yield(void)
{
  yields++;
  pass(others ? 30000 : 1000);
  return 0;
}

#endif
