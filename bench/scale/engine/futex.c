/* The system calls that the runtimes make themselves, the futex first of all.  --wrap=syscall leads them here.  */
#include "futex.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int scale_futex_wait(volatile uint32_t *word, uint32_t value, ps until, uintptr_t place)
{
  note_system_call(place);
  pass(cost.call);
  touch(word, READ, place);
  if (*word != value)
    return EAGAIN;
  self->futex = word;
  sleep_until(until);
  return self->timed_out ? ETIMEDOUT : 0;
}

long scale_futex_wake(volatile uint32_t *word, long most, uintptr_t place)
{
  long woken = 0;
  note_system_call(place);
  pass(cost.call);
  for (int i = 0; i < thread_count && woken < most; i++) {
    struct thread *t = threads[i];
    if (t->state != ASLEEP || t->futex != word)
      continue;
    self->time += NS(cost.wake);
    t->time = t->time > self->time ? t->time : self->time;
    wake(t);
    if (reports)
      note_wake(t, place, NS(cost.wake + cost.wakes_after));
    woken++;
  }
  self->wakes += (uint64_t)(woken > 0);
  bound = 0; /* look again who is first */
  pass(0);
  return woken;
}

static ps when(const struct timespec *t, bool absolute)
{
  if (t == NULL)
    return EVER;
  ps time = since(t);
  if (!absolute)
    return self->time + time;
  return time > BEFORE_START ? time - BEFORE_START : 0;
}

static long futex(long a, long b, long c, long d, uintptr_t place)
{
  volatile uint32_t *word = (volatile uint32_t *)a;
  int operation = (int)b & FUTEX_CMD_MASK, error;
  switch (operation) {
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET: return scale_futex_wake(word, c, place);
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
    error = scale_futex_wait(word, (uint32_t)c, when((const struct timespec *)d, operation == FUTEX_WAIT_BITSET), place);
    return error != 0 ? (errno = error, -1) : 0;
  default: stop(6, "a futex call that the engine doesn't have");
  }
}

long __real_syscall(long, long, long, long, long, long, long);
long __wrap_syscall(long number, ...)
{
  va_list l;
  va_start(l, number);
  long a = va_arg(l, long), b = va_arg(l, long), c = va_arg(l, long), d = va_arg(l, long), e = va_arg(l, long), f = va_arg(l, long);
  va_end(l);
  switch (number) {
  case SYS_futex: return futex(a, b, c, d, PLACE);
  case SYS_gettid: return FIRST_KERNEL_THREAD + self->number;
  case SYS_sched_getaffinity: return processors_to((void *)c, (size_t)b);
  case SYS_sched_setaffinity: return c == 0 ? (errno = EFAULT, -1) : 0; /* libomp asks so whether there is the call */
  case SYS_sched_getattr:
  case SYS_sched_setattr: return errno = ENOSYS, -1;
  default: return __real_syscall(number, a, b, c, d, e, f);
  }
}
