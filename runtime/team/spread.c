#include "team/team_wait.h"

#include "admission/turn.h"
#include "machine/processors.h"
#include "wait/parking.h"

/* A worker moves after 1, 2, 4… looks in a row that found too many threads.  So moves become rare
   where the other processors are busy with something else.  */
enum { SPREAD_EVERY = 16, RAREST = 1 << 16 };
/* For a larger team the look would cost more than the bad place.  */
enum { LARGEST = 8 };

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
    count += thread != NULL && load_relaxed(&thread->waiter.processor) == processor;
  }
  return count;
}

/* Where there are several masters, each processor may have threads of all.  A worker then does its part where its master waits
   for it.  On another processor it would wait for the thread there, perhaps one that spins for a lock which its own master has.  */
static bool may_move(const struct thread *self, const struct team *team)
{
  return self->is_worker && self->place_bound == 0 && team->size <= LARGEST && !ghcomp_turn_has_others();
}

void ghcomp_spread_suspect(struct thread *self, const struct team *team)
{
  if (++self->spread.suspicions % SPREAD_EVERY != 0)
    return;
  int here = ghcomp_team_publish_processor(self);
  if (!may_move(self, team) || threads_on(team, here) <= fair_share(team)) {
    self->spread.too_many_in_a_row = 0;
    return;
  }
  unsigned looks = ++self->spread.too_many_in_a_row;
  if ((looks & (looks - 1)) == 0) {
    ghcomp_machine_leave_processor(here);
    ghcomp_team_publish_processor(self);
  }
  if (looks == RAREST)
    self->spread.too_many_in_a_row = 0;
}
