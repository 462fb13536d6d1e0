/* How many threads a region of the outermost level has that may have fewer than it wants (dyn-var): a function of numbers.  */
#ifndef GHCOMP_TEAM_SHARE_H
#define GHCOMP_TEAM_SHARE_H

/* As many as there are processors free: those that no region has and no Haskell thread computes on; at least one.  Haskell
   threads that compute keep their processors, but at most half of all.  So if regions and Haskell threads both have enough work
   for all processors, each side gets half.
   `capacity`: processors, or Capabilities.  `busy`: Haskell threads that compute.  `running`: threads of regions.  */
static inline unsigned ghcomp_team_share(unsigned wanted, unsigned capacity, unsigned busy, unsigned running)
{
  unsigned used = running + (busy < capacity / 2 ? busy : capacity / 2);
  unsigned free = used < capacity ? capacity - used : 1;
  return free < wanted ? free : wanted;
}

#endif
