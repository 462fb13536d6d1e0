#include "team/team_wait.h"

#include "state/thread.h"

static struct team *team_of(const struct crew *crew)
{
  return (struct team *)((char *)crew - offsetof(struct team, crew));
}

static unsigned size(const struct crew *crew)
{
  return team_of(crew)->size;
}

static struct waiter *waiter(const struct crew *crew, unsigned number)
{
  struct thread *thread = team_of(crew)->members[number].thread;
  return thread != NULL ? &thread->waiter : NULL;
}

static bool has_processors(const struct crew *crew)
{
  return ghcomp_team_has_processors(team_of(crew));
}

static struct crew *of(struct waiter *self)
{
  const struct thread *thread = ghcomp_thread_of(self);
  return thread->is_between_regions ? NULL : &thread->member->team->crew;
}

static void suspect(struct waiter *self, const struct crew *crew)
{
  ghcomp_spread_suspect(ghcomp_thread_of(self), team_of(crew));
}

static bool has_other_on(const struct crew *crew, const struct waiter *self, int processor)
{
  return ghcomp_team_count_on(team_of(crew), self, processor) != 0;
}

const struct crew_kind ghcomp_team_crews = {.size = size, .waiter = waiter, .has_processors = has_processors, .of = of, .suspect = suspect,
                                            .has_other_on = has_other_on};
