/* display-affinity-var: each thread of a parallel region tells where it runs
   when it first does, and when that changes.  Spec: 5.2, 21.2.5.  */
#ifndef GHCOMP_TEAM_DISPLAY_AFFINITY_H
#define GHCOMP_TEAM_DISPLAY_AFFINITY_H

#include "places/affinity_format.h"
#include "team/types.h"

struct affinity_info ghcomp_affinity_info_of(const struct member *member);

/* Called by the member's thread, on entering a region.  */
void ghcomp_display_affinity(struct thread *self, const struct member *member);

#endif
