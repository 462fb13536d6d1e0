/* Threads find their own copies of a variable through a table that another thread may have made.
   code: memory/threadprivate.c wait/lock.c wait/parking.c.  */
#include "memory/threadprivate.h"
#include "made_team.h"

unsigned weak_threads = 2;
static int variable = 7;
static threadprivate_cache cache;

void weak_setup(void)
{
  make_members(weak_threads);
}

void weak_thread(unsigned number)
{
  be(number);
  int *copy = ghcomp_threadprivate_copy(number, &variable, sizeof variable, &cache);
  weak_assert((copy == &variable) == (number == 0) && *copy == 7);
  if (number != 0)
    *copy = 8;
  weak_assert(ghcomp_threadprivate_copy(number, &variable, sizeof variable, &cache) == copy);
}

void weak_end(void)
{
  weak_assert(variable == 7);
}
