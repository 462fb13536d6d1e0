/* A reduction whose copies the members of a team share.  A member that finds the copies made sees
   them complete.  The last member to end sees what all did with their copies.
   code: task/combined.c task/taskgroup.c.  */
#include "task/taskgroup.h"
#include "made_team.h"

unsigned weak_threads = 2;
static _Atomic(void *) word;
static long variables[2];

static void begin(void *copy, void *original)
{
  (void)original;
  *(long *)copy = 10;
}

static void combine(void *shared, void *copy)
{
  *(long *)shared += *(long *)copy;
}

void weak_setup(void)
{
  make_members(weak_threads);
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  struct combined_item item = {.shared = &variables[number], .size = sizeof(long), .init = begin, .combine = combine};
  struct taskgroup *group = ghcomp_combined_begin_construct(self, &word, &item, 1);
  long *copy = ghcomp_combined_copy(self, group, &variables[number], NULL);
  *copy += 1;
  ghcomp_combined_end(group);
}

void weak_end(void)
{
  weak_assert(variables[0] + variables[1] == 22 && variables[0] * variables[1] == 0);
}
