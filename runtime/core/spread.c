#include "core/spread.h"

#include "core/parking.h"
#include "substrate/machine.h"

/* Moves become ever more rare, because the other processors may be busy with something
   else: after 1, 2, 4… looks in a row that found too many.  */
enum { SPREAD_EVERY = 16, RAREST = 1 << 16 };

static unsigned fair_share(const struct team *team)
{
  if (!ghcomp_parking_is_crowded())
    return 1;
  return (team->size - 1) / ghcomp_machine_processors() + 1;
}

static unsigned threads_on(const struct team *team, int processor)
{
  unsigned count = 0;
  for (unsigned i = 0; i < team->size; i++) {
    const struct thread *thread = team->members[i].thread;
    count += thread != NULL && load_relaxed(&thread->processor) == processor;
  }
  return count;
}

void ghcomp_spread_suspect(struct thread *self, const struct team *team)
{
  if (++self->suspicions % SPREAD_EVERY != 0)
    return;
  int here = ghcomp_spread_say(self);
  if (!self->worker || self->place_bound != 0 || threads_on(team, here) <= fair_share(team)) {
    self->too_many = 0;
    return;
  }
  unsigned looks = ++self->too_many;
  if ((looks & (looks - 1)) == 0) {
    ghcomp_machine_leave_processor(here);
    ghcomp_spread_say(self);
  }
  if (looks == RAREST)
    self->too_many = 0;
}
