/* The one way to wait: look, do something else or spin, announce the sleep, look again, sleep.

   A site describes what it waits for, and what its thread may do meanwhile, in a `static const
   struct wait_kind`.  The loop and the site's functions are inlined there, so a wait costs as much
   as a loop that is written out. parking.md lists the sites, and says why no wake-up is lost.

   A site that needs more data than `struct wait` puts them into a struct whose first member is a
   `struct wait`.  The functions get the address of that member.  */
#ifndef GHCOMP_WAIT_LOOP_H
#define GHCOMP_WAIT_LOOP_H

#include "machine/processors.h"
#include "wait/parking.h"

struct wait {
  struct waiter *self;
  struct crew *crew;        /* counts its sleepers; NULL: the thread that ends the wait knows the
                               sleeper */
  unsigned pauses_per_look; /* 0: 1 */
  bool has_processors;      /* the crew does; see waiter.h */
};

/* What a thread does when it has spun for as long as it should.  */
enum when_spent { THEN_SLEEP, THEN_SPIN, THEN_GIVE_UP };

/* All but `is_over` may be NULL.  */
struct wait_kind {
  /* The condition.  If the thread may sleep, this is also the look between announcement and sleep,
     and therefore sequentially consistent: see parking.md.  */
  bool (*is_over)(struct wait *wait);

  /* Does something else, if there is something to do.  True: it has, and the wait begins again.  */
  bool (*do_other)(struct wait *wait);

  /* How spinning begins; NULL: with ghcomp_parking_begin.  */
  struct spin (*begin_spin)(struct wait *wait);

  /* Called before each round of spinning: another thread may need the processor more.  */
  void (*give_way)(struct wait *wait, struct spin *w);

  /* Called at the same point.  True: something else needs the thread itself, which gives the wait
     up.  */
  bool (*is_wanted)(struct wait *wait);

  enum when_spent when_spent;

  /* Called when the thread has spun for as long as it should.  True: the wait begins again.  */
  bool (*goes_on)(struct wait *wait);

  /* Announces the sleep; NULL: with ghcomp_parking_prepare, for no task.  */
  void (*announce)(struct wait *wait);

  /* Sleeps, perhaps for a limited time, or finds a reason not to sleep; NULL: until it is
     woken.  */
  void (*sleep)(struct wait *wait);

  /* Called after a sleep, when the announcement has been taken back.  True: as for do_other.  */
  bool (*after_sleep)(struct wait *wait);
};

static inline __attribute__((always_inline)) struct spin ghcomp_wait_begin(const struct wait_kind *kind,
                                                                           struct wait *wait)
{
  if (kind->begin_spin != NULL)
    return kind->begin_spin(wait);
  struct spin w = ghcomp_parking_begin(wait->self, wait->crew);
  w.has_processors = wait->has_processors;
  if (wait->pauses_per_look != 0)
    w.pauses_per_look = wait->pauses_per_look;
  return w;
}

/* True: `after_sleep` did something else.  */
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
  return kind->after_sleep != NULL && kind->after_sleep(wait);
}

/* Spinning is prepared only when the thread is about to spin.  A wait that is over at once, or that
   finds something else to do, does not pay for it.  False: the thread has given up.  */
static inline __attribute__((always_inline)) bool ghcomp_wait(const struct wait_kind *kind, struct wait *wait)
{
  struct spin w;
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
    if (kind->when_spent == THEN_SPIN)
      ghcomp_parking_step_aside(); /* whoever ends the wait may want this processor */
    if (kind->goes_on != NULL && kind->goes_on(wait)) {
      begun = false;
      continue;
    }
    if (kind->when_spent == THEN_SPIN || ghcomp_wait_sleep(kind, wait))
      begun = false;
  }
  return true;
}

#endif
