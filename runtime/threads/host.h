/* Is this process a Haskell program?  */
#ifndef GHCOMP_THREADS_HOST_H
#define GHCOMP_THREADS_HOST_H

#include "threads/substrate.h"

enum host_kind {
  HOST_C,                /* it has no Haskell RTS that anybody else could use */
  HOST_HASKELL_THREADED, /* it has one, with -threaded; whether it runs yet or not */
  HOST_HASKELL_SINGLE,   /* it has one, without -threaded */
  HOST_HASKELL_UNKNOWN,  /* it has one that cannot be reached: a stripped static executable */
};

/* For host.c, which knows no header of GHC's.  */
#define GHCOMP_HOST_CURRENT_THREAD 896

/* Looked up once; cheap afterwards.  */
enum host_kind ghcomp_host_kind(void);

/* Capabilities that the host's RTS uses now; 0 unless threaded and running.  */
unsigned ghcomp_host_capabilities(void);

/* Of those, the ones that run a Haskell thread at this moment; `unknown` where that cannot be
   seen.  For threads that the RTS knows.  Cost: a cache line of each.  */
unsigned ghcomp_host_busy(unsigned unknown);

/* The same, 0 where it cannot be seen, for threads that the RTS does not know: it frees its Capabilities
   at the end of the program unless a thread that it knows is in a foreign call.  Cost: two system calls.  */
unsigned ghcomp_host_busy_from_outside(void);

/* The calling thread, which may have run Haskell code, ends: the host's RTS forgets it.  */
void ghcomp_host_thread_ends(void);

/* The substrate of HOST_HASKELL_THREADED (host_threads.c).  */
extern const struct substrate ghcomp_host_substrate;

#endif
