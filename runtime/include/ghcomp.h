/* What a program may ask this runtime beyond <omp.h>.  Absent in libgomp: look
   the functions up with dlsym where a program must run on either.  */
#ifndef GHCOMP_H
#define GHCOMP_H

#ifdef __cplusplus
extern "C" {
#endif

/* The version field of ghc-openmp.cabal. */
const char *ghcomp_version(void);

/* The substrate in force: "ghc", "pthread", or "none" before the first region
   that needed a second thread.  */
const char *ghcomp_substrate_name(void);

/* One line on it: versions, Capabilities.  Static storage, overwritten by the
   next call.  */
const char *ghcomp_substrate_describe(void);

/* Why it is this one: part of a sentence.  Static storage.  */
const char *ghcomp_substrate_reason(void);

/* Capabilities that it has; 0 without GHC.  */
unsigned ghcomp_capabilities(void);

/* The Capability that the calling thread of an outermost team belongs to; -1 for
   every other thread, in a Haskell program (whose threads are not bound to
   Capabilities) and without GHC.  Takes the Capability for a moment.  */
int ghcomp_capability(void);

/* Worker threads alive now.  */
unsigned ghcomp_workers(void);

/* Counters of what the runtime has done: 0…ghcomp_stats_count()-1, each with a name such as
   "tasks_stolen" (NULL beyond the last) and a value, the sum of all threads since the
   start or the last reset.  Maxima are not reset.  Cost: a walk over all threads.
   GHCOMP_STATS=1 prints them when the program ends, and counts how long locks are held.  */
unsigned ghcomp_stats_count(void);
const char *ghcomp_stats_name(unsigned number);
unsigned long long ghcomp_stats_value(unsigned number);
void ghcomp_stats_reset(void);

#ifdef __cplusplus
}
#endif

#endif
