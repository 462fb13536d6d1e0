/* storey: threads */
/* What is seen of the Capabilities of a Haskell program's RTS.  They are invented.  */
#include "threads/host.h"

#include "expect.h"

#include <stdint.h>
#include <stdlib.h>

enum { CAPABILITIES = 2, SIZE = 1280 };

static char *list[CAPABILITIES];
static unsigned capabilities = CAPABILITIES;
static bool ends;

unsigned ghcomp_host_capabilities(void)
{
  return capabilities;
}

const char *const *ghcomp_host_capability_list(void)
{
  return ends ? NULL : (const char *const *)list;
}

/* Capability `number` has an OS thread, which runs a Haskell thread, and so many Haskell threads in its run queue.  */
static void set(unsigned number, bool os_thread, bool haskell_thread, uint32_t queued)
{
  char *at = list[number];
  memset(at, 0, SIZE);
  *(const void **)(at + ghcomp_host_current_thread) = haskell_thread ? at : NULL;
  *(uint32_t *)(at + ghcomp_host_number) = number;
  *(const void **)(at + ghcomp_host_number + AFTER_NUMBER_TASK) = os_thread ? at : NULL;
  *(uint32_t *)(at + ghcomp_host_number + AFTER_NUMBER_RUN_QUEUE) = queued;
}

static void check(unsigned busy, bool waits)
{
  EXPECT_NUMBER(ghcomp_host_busy(7), busy);
  EXPECT_NUMBER(ghcomp_host_waits(), waits);
}

int main(void)
{
  for (unsigned i = 0; i < CAPABILITIES; i++)
    list[i] = calloc(1, SIZE);
  set(0, false, false, 0);
  set(1, false, false, 0);
  check(0, false);
  set(1, true, true, 3);  /* threads behind one that computes */
  check(1, false);
  set(0, true, true, 0);
  check(2, false);
  set(1, false, false, 1); /* an OS thread has been woken for it */
  check(1, true);
  *(uint32_t *)(list[1] + ghcomp_host_number) = 5; /* not the RTS that is known */
  check(1, false);
  set(1, true, false, 0);  /* it wants a collection, and the other one computes */
  check(1, false);
  set(0, true, false, 0);  /* a collection */
  check(0, false);
  set(0, false, false, 0); /* no OS thread takes part for it yet */
  check(0, true);
  capabilities = 1;
  check(0, false);
  capabilities = 0;
  check(7, false); /* it does not run yet */
  capabilities = CAPABILITIES;
  ends = true;
  check(7, false);
  for (unsigned i = 0; i < CAPABILITIES; i++)
    free(list[i]);
  return expect_result();
}
