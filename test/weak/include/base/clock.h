/* In place of runtime/base/clock.h: a clock that stands.  */
#ifndef GHCOMP_BASE_CLOCK_H
#define GHCOMP_BASE_CLOCK_H

#include <stdint.h>

static inline uint64_t clock_ns(void)
{
  return 1;
}

#endif
