/* The one way to wait: look, do something else or spin, announce the sleep, look again, sleep.

   A site says what it waits for and what its thread may do meanwhile, in a `static const struct
   wait_kind`.  The loop is inlined there and its functions with it, so a wait costs what it would
   if it were written out.  parking.md says why no wake-up is lost.

   What a site may be about has a `struct wait` as its first member; the functions get its address.  */
#ifndef GHCOMP_WAIT_LOOP_H
#define GHCOMP_WAIT_LOOP_H

#include "wait/parking.h"

struct wait {
  struct waiter *self;
  struct crew *crew; /* counts its sleepers; NULL: who ends the wait knows the sleeper */
  unsigned gap;      /* pause instructions between two looks; 0: 1 */
  bool has_processors;   /* the crew does; see waiter.h */
};

/* What a thread does that has spun for as long as it should.  */
enum when_spent { THEN_SLEEP, THEN_SPIN, THEN_GIVE_UP };

/* All but `is_over` may be NULL.  */
struct wait_kind {
  /* The condition.  Where the thread may sleep, also the look between announcement and sleep, so
     sequentially consistent: see parking.md.  */
  bool (*is_over)(struct wait *wait);

  /* Something else that is to be done.  True: it was, and the wait begins anew.  */
  bool (*do_other)(struct wait *wait);

  /* How it begins, where not by ghcomp_parking_begin.  */
  struct waiting (*begin)(struct wait *wait);

  /* Before each round of spinning: somebody may need the processor more.  */
  void (*give_way)(struct wait *wait, struct waiting *w);

  /* Likewise: somebody needs the thread itself.  True: it gives the wait up.  */
  bool (*is_wanted)(struct wait *wait);

  enum when_spent when_spent;

  /* Announces the sleep, where ghcomp_parking_prepare for nothing else is not enough.  */
  void (*announce)(struct wait *wait);

  /* Sleeps, where not until it is woken, or finds that it need not.  */
  void (*sleep)(struct wait *wait);

  /* After a sleep, when its announcement is taken back.  True: as of do_other.  */
  bool (*wake)(struct wait *wait);
};

static inline __attribute__((always_inline)) struct waiting ghcomp_wait_begin(const struct wait_kind *kind,
                                                                              struct wait *wait)
{
  if (kind->begin != NULL)
    return kind->begin(wait);
  struct waiting w = ghcomp_parking_begin(wait->self, wait->crew);
  w.has_processors = wait->has_processors;
  if (wait->gap != 0)
    w.gap = wait->gap;
  return w;
}

/* True: something was done.  */
static inline __attribute__((always_inline)) bool ghcomp_wait_sleep(const struct wait_kind *kind, struct wait *wait)
{
  if (kind->announce != NULL)
    kind->announce(wait);
  else
    ghcomp_parking_prepare(wait->self, wait->crew, PARK_FOR_NOTHING);
  if (!kind->is_over(wait)) {
    if (kind->sleep != NULL)
      kind->sleep(wait);
    else
      ghcomp_parking_sleep(wait->self);
  }
  ghcomp_parking_finish(wait->self, wait->crew);
  return kind->wake != NULL && kind->wake(wait);
}

/* What spinning needs is made when the thread is about to spin: a wait that is over at once, or that
   finds something else to do, does not pay for it.  False: the thread has given up.  */
static inline __attribute__((always_inline)) bool ghcomp_wait(const struct wait_kind *kind, struct wait *wait)
{
  struct waiting w;
  bool begun = false;
  while (!kind->is_over(wait)) {
    if (kind->do_other != NULL && kind->do_other(wait)) {
      begun = false;
      continue;
    }
    if (!begun)
      w = ghcomp_wait_begin(kind, wait);
    begun = true;
    if (kind->give_way != NULL)
      kind->give_way(wait, &w);
    if (kind->is_wanted != NULL && kind->is_wanted(wait))
      return false;
    if (ghcomp_parking_spin(&w))
      continue;
    if (kind->when_spent == THEN_GIVE_UP)
      return false;
    if (kind->when_spent == THEN_SPIN || ghcomp_wait_sleep(kind, wait))
      begun = false;
  }
  return true;
}

#endif
