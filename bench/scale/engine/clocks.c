/* The processor's pause and cycle counter, the system's clocks, and how many processors there are.  */
#include "futex.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/time.h>
#include <unistd.h>

#define PS_PER_CYCLE 400 /* of the counter: 2.5 in a nanosecond */

long __real_sysconf(int);

static double longer = 1;
void scale_pauses(double factor) { longer = factor; }

void scale_pause(void);
void scale_pause(void)
{
  self->paused = true;
  pass(cost.pause * longer);
}

uint64_t scale_cycles(void);
uint64_t scale_cycles(void)
{
  pass(cost.cycles);
  return self->time / PS_PER_CYCLE;
}
uint64_t __wrap___kmp_hardware_timestamp(void) { return scale_cycles(); }
void scale_nothing(void);
void scale_nothing(void) {}

void scale_work(double ns) { pass(ns); }
double scale_now(void) { return (double)self->time / 1000; }

struct scale_counts scale_counts(void)
{
  struct scale_counts sum = {.transfers = transfers};
  for (int i = 0; i < thread_count; i++) {
    sum.calls += threads[i]->calls;
    sum.wakes += threads[i]->wakes;
  }
  return sum;
}

int __wrap_sched_yield(void)
{
  note_system_call(PLACE);
  self->paused = true;
  pass(cost.yield * longer);
  yield_processor();
  return 0;
}

static ps wall_clock(void)
{
  pass(cost.clock);
  return BEFORE_START + self->time;
}

static ps thread_clock(const struct thread *t, uintptr_t place)
{
  note_system_call(place);
  pass(cost.thread_clock);
  return computed(t);
}

/* The kernel adds up the clocks of all threads.  */
static ps process_clock(uintptr_t place)
{
  ps sum = 0;
  note_system_call(place);
  pass(cost.thread_clock + thread_count * cost.of_each);
  for (int i = 0; i < thread_count; i++)
    sum += computed(threads[i]);
  return sum;
}

/* A clock with a negative number is a thread's, and has its number in it: here the virtual thread's, not its lender's.  */
int __wrap_pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
  const struct thread *t = thread_with(thread);
  if (t == NULL)
    return ESRCH;
  *clock = (clockid_t)(~(unsigned)(FIRST_KERNEL_THREAD + t->number) << 3 | 6);
  return 0;
}

static ps clock_named(clockid_t clock, uintptr_t place)
{
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_MONOTONIC: return wall_clock();
  case CLOCK_PROCESS_CPUTIME_ID: return process_clock(place);
  case CLOCK_THREAD_CPUTIME_ID: return thread_clock(self, place);
  default: {
    const struct thread *t = clock < 0 ? thread_of(~(clock >> 3)) : NULL;
    return t != NULL ? thread_clock(t, place) : EVER;
  }
  }
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
  ps now = clock_named(clock, PLACE);
  if (now == EVER)
    return errno = EINVAL, -1;
  *t = (struct timespec){(time_t)(now / NS(1e9)), (long)(now % NS(1e9) / 1000)};
  return 0;
}

int __wrap_gettimeofday(struct timeval *t, void *zone)
{
  ps now = wall_clock();
  (void)zone;
  *t = (struct timeval){(time_t)(now / NS(1e9)), (suseconds_t)(now % NS(1e9) / 1000000)};
  return 0;
}

int __wrap_nanosleep(const struct timespec *t, struct timespec *left)
{
  (void)left;
  note_system_call(PLACE);
  sleep_until(self->time + since(t));
  return 0;
}

/* ------------------------------------------------------------------------------------- processors */

long processors_to(void *set, size_t size)
{
  uint64_t *words = set;
  clear(set, size);
  for (int p = 0; p < processors && (size_t)p < 8 * size; p++)
    words[p / 64] |= 1ull << (p % 64);
  return (long)(size < MOST / 8 ? size : MOST / 8);
}

int __wrap_sched_getcpu(void)
{
  pass(5);
  return self->processor;
}

int __wrap_sched_getaffinity(pid_t p, size_t size, cpu_set_t *set)
{
  (void)p;
  processors_to(set, size);
  return 0;
}

int __wrap_pthread_getaffinity_np(pthread_t t, size_t size, cpu_set_t *set)
{
  (void)t;
  processors_to(set, size);
  return 0;
}

/* A thread stays on the processor that it was given.  */
int __wrap_sched_setaffinity(pid_t p, size_t size, const cpu_set_t *set) { (void)p, (void)size, (void)set; return 0; }
int __wrap_pthread_setaffinity_np(pthread_t t, size_t size, const cpu_set_t *set) { (void)t, (void)size, (void)set; return 0; }

long __wrap_sysconf(int name)
{
  return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? processors : __real_sysconf(name);
}
