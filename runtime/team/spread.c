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

static bool is_on(struct team *team, unsigned number, int processor)
{
  int seen_on = load_relaxed(ghcomp_team_seen_on(team, number));
  const struct thread *thread = seen_on == 0 ? team->members[number].thread : NULL;
  if (unlikely(thread != NULL))
    seen_on = load_relaxed(&thread->dock.seen_on);
  return seen_on == processor + 1;
}

unsigned ghcomp_team_count_on(struct team *team, const struct waiter *but_for, int processor)
{
  unsigned count = 0;
  for (unsigned i = 0; processor >= 0 && i < team->size; i++)
    if (unlikely(is_on(team, i, processor))) {
      const struct thread *thread = team->members[i].thread;
      count += thread != NULL && &thread->waiter != but_for;
    }
  return count;
}

/* Where there are several masters, each processor may have threads of all.  A worker then does its part where its master waits
   for it.  On another processor it would wait for the thread there, perhaps one that spins for a lock which its own master has.  */
static bool may_move(const struct thread *self, const struct team *team)
{
  return self->is_worker && self->place_bound == 0 && team->size <= LARGEST && !ghcomp_turn_has_others();
}

static void publish_own(const struct thread *self, int here)
{
  ghcomp_team_publish_processor(self->member->team, self->member->number, here);
}

void ghcomp_spread_suspect(struct thread *self, struct team *team)
{
  if (++self->spread.suspicions % SPREAD_EVERY != 0)
    return;
  int here = ghcomp_machine_here();
  publish_own(self, here);
  if (!may_move(self, team) || ghcomp_team_count_on(team, NULL, here) <= fair_share(team)) {
    self->spread.too_many_in_a_row = 0;
    return;
  }
  unsigned looks = ++self->spread.too_many_in_a_row;
  if ((looks & (looks - 1)) == 0) {
    ghcomp_machine_leave_processor(here);
    publish_own(self, ghcomp_machine_here());
  }
  if (looks == RAREST)
    self->spread.too_many_in_a_row = 0;
}
