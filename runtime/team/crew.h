/* A team as those that wait in it see it.  */
#ifndef GHCOMP_TEAM_CREW_H
#define GHCOMP_TEAM_CREW_H

#include "wait/crew.h"

extern const struct crew_kind ghcomp_team_crews;

#endif
