/* Futex calls, shared by all substrates.  */
#include "substrate/park.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void ghcomp_park_wait(_Atomic uint32_t *word, uint32_t expected)
{
  int saved = errno;
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
  errno = saved;
}

void ghcomp_park_wake(_Atomic uint32_t *word, int count)
{
  int saved = errno;
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
  errno = saved;
}
