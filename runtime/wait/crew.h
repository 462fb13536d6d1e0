/* What waiting asks about the threads that wait for each other, a team's.  The storey that has
   teams answers.  */
#ifndef GHCOMP_WAIT_CREW_H
#define GHCOMP_WAIT_CREW_H

#include "wait/waiter.h"

struct crew {
  _Atomic uint32_t parked; /* members asleep, or about to */
};

struct crew_kind {
  unsigned (*size)(const struct crew *crew);

  /* Who serves as that member; NULL: nobody.  */
  struct waiter *(*waiter)(const struct crew *crew, unsigned number);

  /* It has a processor for each of its threads, so its threads spin briefly even where threads of all
     crews outnumber processors.  */
  bool (*fits)(const struct crew *crew);

  /* In which the thread is now; NULL: in none.  */
  struct crew *(*of)(struct waiter *self);

  /* The thread has yielded while it waited, or shares its processor with another of the crew.  */
  void (*suspect)(struct waiter *self, const struct crew *crew);
};

/* Set before threads wait; until then there are no crews.  */
extern const struct crew_kind *ghcomp_crew_kind;

#endif
