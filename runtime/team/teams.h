/* The league of a teams construct on the host: one initial team after another.
   Spec: 5.2, 10.2.  */
#ifndef GHCOMP_TEAM_TEAMS_H
#define GHCOMP_TEAM_TEAMS_H

#include "team/types.h"

/* Runs fn once per team.  0 stands for an absent clause.  */
void ghcomp_teams_run(void (*fn)(void *), void *data, unsigned num_teams, unsigned thread_limit);

/* teams inside target: the compiler loops itself.  first begins a league of
   `num_teams`; otherwise the next team's turn comes, or false.  */
bool ghcomp_teams_next(struct thread *self, unsigned num_teams, unsigned thread_limit, bool first);

/* thread_limit clause: for the current initial task.  */
void ghcomp_teams_limit_threads(struct thread *self, unsigned limit);

#endif
