/* A thread that sees the choice of the substrate also sees its reason.
   code: threads/substrate.c.  */
#include "threads/substrate.h"
#include "threads/host.h"
#include <string.h>
#include "weak.h"

unsigned weak_threads = 2;
static unsigned started;

char *getenv(const char *name)
{
  return strcmp(name, "GHCOMP_SUBSTRATE") == 0 ? "pthread" : NULL;
}

enum host_kind ghcomp_host_kind(void)
{
  return HOST_C;
}

static bool start(unsigned capabilities)
{
  (void)capabilities;
  started++;
  return true;
}

const struct substrate ghcomp_substrate_pthread = {.start = start};

void weak_setup(void)
{
}

void weak_thread(unsigned number)
{
  if (number == 0)
    ghcomp_substrate_start(1);
  else
    weak_assert(ghcomp_choice_reason() != NULL);
}

void weak_end(void)
{
  weak_assert(started == 1);
}
