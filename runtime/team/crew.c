#include "team/crew.h"

#include "team/spread.h"
#include "team/types.h"

static const struct team *team_of(const struct crew *crew)
{
  return (const struct team *)((const char *)crew - offsetof(struct team, crew));
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

static struct crew *of(struct waiter *self)
{
  return &((struct thread *)self)->member->team->crew;
}

static void suspect(struct waiter *self, const struct crew *crew)
{
  ghcomp_spread_suspect((struct thread *)self, team_of(crew));
}

const struct crew_kind ghcomp_team_crews = {.size = size, .waiter = waiter, .of = of, .suspect = suspect};
