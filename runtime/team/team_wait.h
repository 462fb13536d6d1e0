/* What the waits of a team's members for each other have in common: tasks of the team end their sleep.  */
#ifndef GHCOMP_TEAM_TEAM_WAIT_H
#define GHCOMP_TEAM_TEAM_WAIT_H

#include "task/task_wait.h"
#include "team/types.h"
#include "wait/loop.h"

struct team_wait {
  struct wait wait;
  struct thread *self;
  struct team *team;
};

static inline struct team_wait ghcomp_team_wait_by(struct thread *self, struct team *team, unsigned gap)
{
  return (struct team_wait){{&self->waiter, &team->crew, gap, ghcomp_team_fits(team)}, self, team};
}

static inline void ghcomp_team_wait_announce(struct wait *wait)
{
  ghcomp_task_prepare_sleep(((struct team_wait *)wait)->self, wait->crew);
}

static inline void ghcomp_team_wait_sleep(struct wait *wait)
{
  const struct team_wait *w = (struct team_wait *)wait;
  ghcomp_task_sleep_unless(w->self, load_seq_cst(&w->team->hint) != 0);
}

#endif
