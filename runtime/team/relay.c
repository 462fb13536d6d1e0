/* Invariant: each index below the team's size is taken once after the counter was set
   back, by a thread that then calls that member, and the counter is set back only when
   all that took from it are done: they are members that go on to arrive, at the region's
   end or at the next barrier, and whoever sets it back has seen them arrive.
   Models: test/model/relay_mail.pml, relay_wake.pml.  */
#include "team/gather.h"

#include "team/pool.h"
#include "wait/parking.h"

/* Mails that one thread takes at once: each time costs a transfer of the counter.  */
enum { MAILS = 4, WAKES = 1 };

/* The first of `count` that nobody has taken; the team's size or more: none is left.  */
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

/* A member that looks at the counter before it is set back finds all taken, or takes
   one that is then taken twice: each wakes those it took after it has seen the phase end.  */
void ghcomp_relay_wake_all(struct team *team)
{
  store_relaxed(&team->relay.next_wake, 0);
  ghcomp_relay_wake_more(team);
}
