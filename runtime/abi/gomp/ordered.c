/* ordered, and the dependences of doacross loops.  Spec: 5.2, 15.10.  */
#include "work/slots.h"

#include "abi/border.h"

#include <stdarg.h>

ENTRY_POINTS(gomp_ordered);

EXPORT void GOMP_ordered_start(void)
{
  struct member *member = ghcomp_self()->member;
  if (member->work.loop.ordered)
    ghcomp_ordered_enter(member);
}

EXPORT void GOMP_ordered_end(void)
{
  struct member *member = ghcomp_self()->member;
  if (member->work.loop.ordered)
    ghcomp_ordered_leave(member);
}

EXPORT void GOMP_doacross_post(long *counts)
{
  ghcomp_ordered_post(ghcomp_self()->member, (const uint64_t *)counts);
}

EXPORT void GOMP_doacross_ull_post(unsigned long long *counts)
{
  ghcomp_ordered_post(ghcomp_self()->member, (const uint64_t *)counts);
}

#define WAIT(type)                                                        \
  do {                                                                    \
    struct member *member = ghcomp_self()->member;                        \
    unsigned dimensions = ghcomp_ordered_dimensions(member);              \
    uint64_t at[dimensions];                                              \
    at[0] = (uint64_t)first;                                              \
    va_list rest;                                                         \
    va_start(rest, first);                                                \
    for (unsigned i = 1; i < dimensions; i++)                             \
      at[i] = (uint64_t)va_arg(rest, type);                               \
    va_end(rest);                                                         \
    ghcomp_ordered_wait(member, at);                                      \
  } while (0)

EXPORT void GOMP_doacross_wait(long first, ...)
{
  WAIT(long);
}

EXPORT void GOMP_doacross_ull_wait(unsigned long long first, ...)
{
  WAIT(unsigned long long);
}
