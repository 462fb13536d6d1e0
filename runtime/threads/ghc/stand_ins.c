/* What the copy of the RTS calls in place of some functions of the C library, under the names that copy-rts has given them.
   (rts_threads.c has those for threads.)

   The locale belongs to the whole process, and other threads use it, so the RTS does not set it.  The RTS asks how much memory
   the machine has, to bound the stacks of Haskell threads, and for processor times, for its statistics.  Here it has neither,
   and a filter may refuse these calls or end the process.  */
#include "threads/ghc/rts.h"

#include <stddef.h>
#include <time.h>
#include <unistd.h>

char *OMtlocale(int category, const char *locale);
long OMsconf(int name);
int OMock_gettime(clockid_t clock, struct timespec *time);

GHCOMP_STAND_IN char *OMtlocale(int category, const char *locale)
{
  (void)category, (void)locale;
  return NULL;
}

/* Where the RTS is not told how much memory there is, it takes another bound.  */
GHCOMP_STAND_IN long OMsconf(int name)
{
  return name == _SC_PHYS_PAGES ? -1 : sysconf(name);
}

GHCOMP_STAND_IN int OMock_gettime(clockid_t clock, struct timespec *time)
{
  if (clock == CLOCK_MONOTONIC || clock == CLOCK_REALTIME)
    return clock_gettime(clock, time);
  *time = (struct timespec){0};
  return 0;
}
