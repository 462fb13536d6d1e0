/* How many threads are called.  See gather.md.

   Invariants: after the counter was set back, each index below the team's size is taken once, by a
   thread that then calls that member.  The counter is set back only when all threads that took an
   index have called their members and arrived, at the region's end or at the next barrier.  */
#include "team/team_wait.h"

#include "team/pool.h"
#include "wait/parking.h"

/* How many members one thread takes at a time.  Each time costs a transfer of the counter.  */
enum { MAILS = 4, WAKES = 1 };

/* The first of up to `count` indices that nobody had taken; the team's size or more: none is
   left.  */
static unsigned take(_Atomic uint32_t *next, unsigned count, unsigned size)
{
  return load_relaxed(next) < size ? add_relaxed(next, count) : size;
}

static unsigned end_of(unsigned first, unsigned count, unsigned size)
{
  return size - first > count ? first + count : size;
}

void ghcomp_relay_assign_more(struct team *team)
{
  unsigned size = team->size;
  for (unsigned i; (i = take(&team->relay.next_mail, MAILS, size)) < size;)
    for (unsigned end = end_of(i, MAILS, size); i < end; i++)
      ghcomp_worker_assign(team->members[i].thread, &team->members[i], team);
}

void ghcomp_relay_assign_all(struct team *team)
{
  /* The mails release it.  */
  store_relaxed(&team->relay.next_mail, 1);
  ghcomp_relay_assign_more(team);
}

void ghcomp_relay_wake_more(struct team *team)
{
  unsigned size = team->size;
  for (unsigned i; (i = take(&team->relay.next_wake, WAKES, size)) < size;)
    ghcomp_parking_wake(&team->members[i].thread->waiter);
}

/* A member that looks at the counter before it is set back finds all indices taken, or takes one
   that is taken again afterwards.  A second wake-up does no harm.  */
void ghcomp_relay_wake_all(struct team *team)
{
  store_relaxed(&team->relay.next_wake, 0);
  ghcomp_relay_wake_more(team);
}
