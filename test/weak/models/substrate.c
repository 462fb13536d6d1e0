/* A thread starts the substrate while the program's first thread ends.  The substrate is told once
   that the first thread has ended.  A third thread that sees the choice also sees its reason.
   code: threads/substrate.c.  */
#include "threads/substrate.h"
#include "threads/host.h"
#include <string.h>
#include "weak.h"

unsigned weak_threads = 3;
static unsigned heard;

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
  return true;
}

static void first_thread_ends(void)
{
  heard++;
}

const struct substrate ghcomp_substrate_pthread = {
    .start = start, .first_thread_ends = first_thread_ends};

void weak_setup(void)
{
}

void weak_thread(unsigned number)
{
  if (number == 0)
    ghcomp_substrate_start(1);
  else if (number == 1)
    ghcomp_substrate_first_thread_ends();
  else
    weak_assert(ghcomp_choice_reason() != NULL);
}

void weak_end(void)
{
  weak_assert(heard == 1);
}
