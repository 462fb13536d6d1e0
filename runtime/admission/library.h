/* Libraries and the places that ask.  Only this folder uses this file.

   A site is a place in the program that calls omp_get_max_threads: a return address.  A library is what the regions that
   follow have in common: the function that their threads run (OpenBLAS has one for all its routines).  A site is told its
   library by the first region that follows a question from there.

   Entries are never removed.  If a table is full, what does not fit takes no turns: such sites have no entry, and such
   libraries have one together, without a lock.  */
#ifndef GHCOMP_ADMISSION_LIBRARY_H
#define GHCOMP_ADMISSION_LIBRARY_H

#include "base/atomics.h"
#include "base/memory.h"
#include "state/thread.h"

#include <stdbool.h>
#include <stdint.h>

/* Whether a library lets one thread at a time into its regions, and its other threads spin meanwhile.  */
enum lock_known {
  LOCK_SUSPECTED, /* not known yet: the first thread has a turn, the second one tries, the others wait for what it finds */
  LOCK_SEEN,
  LOCK_NONE,      /* its regions were seen to run at the same time */
};

struct library {
  CACHE_ALIGNED _Atomic(const void *) body; /* NULL: the entry is free */
  _Atomic unsigned running;   /* its regions */
  _Atomic unsigned lock;      /* enum lock_known */
  _Atomic unsigned sightings; /* of a lock in a row, where it has none */
  _Atomic unsigned needed;    /* so many show that it has one all the same */
  _Atomic unsigned rest;      /* so many of the next questions do not look */
  _Atomic uint64_t ended;     /* cycles: its last region */
  _Atomic uint32_t prepares;  /* cycles: from a question to its region if no other has ended meanwhile, lately the shortest; 0: not known */
  _Atomic uint32_t took;      /* cycles: of a region, an average */
  _Atomic uint32_t gap;       /* cycles: from the end of a call to the thread's next question, an average */

  /* The lock of turns guards these.  */
  CACHE_ALIGNED struct thread *holder; /* of its turn; NULL: nobody */
  struct thread *first, *last; /* wait for it, in order of arrival */
  unsigned waiting;
  unsigned patience;          /* a wait lasts as many regions' time at most */
  unsigned doubts;            /* questions that looked and did not spin, less those that did */
  unsigned probe_in, probe_after; /* so many questions later one looks whether the lock is still there */
  uint64_t asked;             /* cycles: the holder's last question has got its answer; its own turn.asked is written without the lock */
  uint64_t series_end;        /* cycles: no call of this turn begins later, if others wait */
  unsigned keeps;             /* nanoseconds: when the holder has computed so long, another thread may take a turn that it has and
                                 no region uses */
  uint64_t next_probe;        /* cycles; where a lock is suspected */
};

struct site {
  _Atomic(const void *) caller;
  _Atomic(struct library *) library; /* NULL: not known yet */
  _Atomic unsigned regions;   /* that followed its last question but one: as many are expected again; 0: not known */
  _Atomic unsigned wasted;    /* so many questions were skipped when a turn was last wasted; less, if others were used since */
  _Atomic unsigned skips;     /* so many of its next questions take no turn */
};

/* Of sites whose library is not known yet.  Without its turns, eight threads that begin together take seven times as long for their
   first calls of a LAPACK.  */
extern struct library ghcomp_library_unknown;

struct site *ghcomp_site_of(const void *caller); /* NULL: there is no room */
struct library *ghcomp_library_of(const void *body);

static inline struct library *ghcomp_library_at(const struct site *site)
{
  struct library *library = load_relaxed(&site->library);
  return library != NULL ? library : &ghcomp_library_unknown;
}

/* No region has followed a question from there in time; or one has.  */
void ghcomp_site_wasted(struct site *site);
void ghcomp_site_used(struct site *site);

/* True: a question from there takes no turn.  Counts.  */
bool ghcomp_site_skips(struct site *site);

/* Regions of the library run at the same time, so it has no lock.  Returns whether that is news.  */
bool ghcomp_library_has_none(struct library *library);

/* A region has ended between a thread's question and its region.  The thread has spun until then; or it has not.
   Requires: the lock of turns.  The second one returns whether it is news that there is no lock.  */
void ghcomp_library_saw_lock(struct library *library);
bool ghcomp_library_saw_none(struct library *library);

/* True: a thread without a turn looks whether it spins.  Counts.  */
bool ghcomp_library_looks(struct library *library);

/* True: the question takes no turn, and looks whether there is a lock.  Requires: the lock of turns.  */
bool ghcomp_library_probes(struct library *library, uint64_t now);

/* A wait has ended: the region that was awaited had lasted long, or slept; or the turn came.
   Requires: the lock of turns.  */
void ghcomp_library_waited_in_vain(struct library *library);
void ghcomp_library_waited_well(struct library *library);

/* In a forked child: no thread has a turn, waits, or is in a region.  */
void ghcomp_libraries_forget_threads(void);

static inline void ghcomp_library_prepares(struct library *library, uint64_t cycles)
{
  uint64_t old = load_relaxed(&library->prepares), most = old == 0 ? UINT32_MAX : old + old / 8 + 1;
  store_relaxed(&library->prepares, (uint32_t)(cycles < most ? cycles : most < UINT32_MAX ? most : UINT32_MAX));
}

static inline void ghcomp_library_average(_Atomic uint32_t *average, uint64_t value, uint64_t most)
{
  uint32_t old = load_relaxed(average), new = (uint32_t)(value < most ? value : most);
  store_relaxed(average, old == 0 ? new : old - old / 8 + new / 8);
}

#endif
