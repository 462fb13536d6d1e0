/* Questions that a program may ask this runtime, in addition to <omp.h>. libgomp does not have
   these functions: a program that must run on both looks them up with dlsym.  */
#ifndef GHCOMP_H
#define GHCOMP_H

#ifdef __cplusplus
extern "C" {
#endif

/* The version field of ghc-openmp.cabal. */
const char *ghcomp_version(void);

/* The substrate in force: "ghc", "pthread", or "none" before the first region that needs a second
   thread.  */
const char *ghcomp_substrate_name(void);

/* One line about it: versions, Capabilities.  Static storage, which the next call overwrites.  */
const char *ghcomp_substrate_describe(void);

/* The reason for this substrate: part of a sentence.  Static storage.  */
const char *ghcomp_substrate_reason(void);

/* The substrate's Capabilities; 0 without GHC.  */
unsigned ghcomp_capabilities(void);

/* The Capability that the calling thread of an outermost team belongs to. -1: the thread is in no
   outermost team; or this is a Haskell program, whose threads are not bound to Capabilities; or
   there is no GHC.  Takes the Capability for a moment.  */
int ghcomp_capability(void);

/* Worker threads that are alive now.  */
unsigned ghcomp_workers(void);

/* Counters of what the runtime has done, with the numbers 0…ghcomp_stats_count()-1.  Each has a
   name, such as "tasks_stolen" (NULL beyond the last), and a value: the sum over all threads since
   the start or the last reset.  Maxima are not reset.  GHCOMP_STATS=1 prints them when the program
   ends, and also counts how long locks are held.
   Cost: a walk over all threads.  */
unsigned ghcomp_stats_count(void);
const char *ghcomp_stats_name(unsigned number);
unsigned long long ghcomp_stats_value(unsigned number);
void ghcomp_stats_reset(void);

#ifdef __cplusplus
}
#endif

#endif
