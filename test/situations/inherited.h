/* What a thread inherits from the one that creates it: affinity mask, blocked signals, nice value, scheduling policy, rounding,
   and whether small numbers are flushed to zero.  */
#ifndef SITUATIONS_INHERITED_H
#define SITUATIONS_INHERITED_H

#include <fenv.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

struct inherited {
  cpu_set_t mask;
  sigset_t blocked;
  int nice, policy, rounding;
  unsigned flushes;
};

static struct inherited inherited_look(void)
{
  struct inherited found = {0};
  if (sched_getaffinity(0, sizeof found.mask, &found.mask) != 0 || pthread_sigmask(SIG_SETMASK, NULL, &found.blocked) != 0)
    abort();
  found.nice = getpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid));
  found.policy = sched_getscheduler(0);
  found.rounding = fegetround();
#ifdef __SSE__
  found.flushes = _MM_GET_FLUSH_ZERO_MODE();
#endif
  return found;
}

/* Gives the calling thread attributes of its own, which depend on the number.  */
static void inherited_set(long number)
{
  static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
  struct inherited own = inherited_look();
  cpu_set_t one;
  int processor = -1;
  for (long left = number % CPU_COUNT(&own.mask); left >= 0; left -= CPU_ISSET(processor, &own.mask) != 0)
    processor++;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGRTMIN + 1 + (int)number % 16);
  if (sched_setaffinity(0, sizeof one, &one) != 0 || pthread_sigmask(SIG_BLOCK, &signals, NULL) != 0)
    exit(2);
  if (setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), own.nice + 1 + (int)number % 3) != 0)
    exit(2);
  if (number % 2 == 0 && sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}) != 0)
    exit(2);
  fesetround(roundings[number % 4]);
#ifdef __SSE__
  _MM_SET_FLUSH_ZERO_MODE(number / 4 % 2 == 0 ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
#endif
}

/* The name of the first attribute that differs, or NULL.  */
static const char *inherited_difference(const struct inherited *one, const struct inherited *other)
{
  if (!CPU_EQUAL(&one->mask, &other->mask))
    return "affinity mask";
  for (int signal = 1; signal <= SIGRTMAX; signal++)
    if (sigismember(&one->blocked, signal) != sigismember(&other->blocked, signal))
      return "blocked signals";
  if (one->nice != other->nice)
    return "nice value";
  if (one->policy != other->policy)
    return "scheduling policy";
  if (one->rounding != other->rounding)
    return "rounding";
  return one->flushes != other->flushes ? "flushing to zero" : NULL;
}

/* Compares the calling thread with that; returns 1, and says what it is, if something differs.  */
static int inherited_differs(const struct inherited *wanted)
{
  struct inherited own = inherited_look();
  const char *difference = inherited_difference(&own, wanted);
  if (difference != NULL)
    printf("wrong: %s\n", difference);
  return difference != NULL;
}

#endif
