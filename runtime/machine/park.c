/* Futex calls, shared by all substrates.  */
#include "machine/park.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void ghcomp_park_wait(_Atomic uint32_t *word, uint32_t expected)
{
  int saved = errno;
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
  errno = saved;
}

void ghcomp_park_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t nanoseconds)
{
  int saved = errno;
  struct timespec time = {.tv_sec = (time_t)(nanoseconds / 1000000000),
                          .tv_nsec = (long)(nanoseconds % 1000000000)};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &time, NULL, 0);
  errno = saved;
}

void ghcomp_park_wake(_Atomic uint32_t *word, int count)
{
  int saved = errno;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
  errno = saved;
}
