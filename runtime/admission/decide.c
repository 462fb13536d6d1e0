#include "admission/decide.h"

enum verdict ghcomp_turn_decide(struct situation s)
{
  if (!s.may_have_lock)
    return GO;
  if (s.turn == ASKS_OWN || (s.turn == ASKS_OWN_SPENT && !s.waiting))
    return KEEP;
  if (s.turn == ASKS_FREE && !s.waiting)
    return TAKE;
  return s.probes && s.turn == ASKS_HELD ? GO : WAIT;
}

/* Haskell threads that compute keep their processors, but at most half of all.  So if regions and Haskell threads both have
   enough work for all processors, each side gets half.  */
unsigned ghcomp_turn_share(unsigned wanted, unsigned capacity, unsigned busy, unsigned running)
{
  unsigned used = running + (busy < capacity / 2 ? busy : capacity / 2);
  unsigned free = used < capacity ? capacity - used : 1;
  return free < wanted ? free : wanted;
}
