/* What a question gets: one function of a small state, without time, lock or system call.  turns.md shows its table, which
   test/unit/turn_test.c prints.  */
#ifndef GHCOMP_ADMISSION_DECIDE_H
#define GHCOMP_ADMISSION_DECIDE_H

#include <stdbool.h>

enum asker { ASKS_FREE, ASKS_HELD, ASKS_OWN, ASKS_OWN_SPENT };

struct situation { /* of a question */
  bool may_have_lock; /* the library was not seen to have none */
  bool probes;     /* this question is one that looks whether there is a lock */
  bool waiting;    /* others wait for a turn of that library */
  enum asker turn; /* the library's turn: nobody has it; another thread; this one; this one, and its time is over */
};

enum verdict {
  GO,              /* without a turn */
  TAKE,            /* the turn, at once */
  KEEP,            /* the turn that it has */
  WAIT,            /* in order of arrival, after the turn that it has is given to the first in the queue */
};

static inline enum verdict ghcomp_turn_decide(struct situation s)
{
  if (!s.may_have_lock)
    return GO;
  if (s.turn == ASKS_OWN || (s.turn == ASKS_OWN_SPENT && !s.waiting))
    return KEEP;
  if (s.turn == ASKS_FREE && !s.waiting)
    return TAKE;
  return s.probes && s.turn == ASKS_HELD ? GO : WAIT;
}

#endif
