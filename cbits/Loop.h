/* Loops with Haskell bodies: what Loop.c (the loop), LoopHelpers.c (the workers
   that help with it) and the Haskell module GHC.OpenMP.Loop.Run share.  See
   Loop.md for the protocol.  */
#ifndef GHCOMP_CBITS_LOOP_H
#define GHCOMP_CBITS_LOOP_H

#include "base/atomics.h"
#include "base/memory.h"
#include "state/range.h"
#include "state/thread.h"

#include <HsFFI.h>

enum loop_schedule {
  LOOP_EQUAL_PARTS, /* part i: equal contiguous ranges */
  LOOP_DEALT,       /* part i of p: chunks i, i+p, i+2p, ... */
  LOOP_STEALING,    /* as EQUAL_PARTS, but who has none left takes from the others */
  LOOP_SHRINKING,   /* the same, by half of what is left at a time */
  LOOP_TASKS,       /* no iterations: a task group; one chunk for each worker */
};

/* What ghcomp_loop_next returns beside an iteration.  */
enum { LOOP_DONE = -1, LOOP_MAKE_ROOM = -2 };

/* What ghcomp_loop_close returns beside a number.  */
#define LOOP_WANTS_HELP UINT32_MAX

/* One of those that execute the loop; number 0 is the caller.  */
struct loop_worker {
  /* Written by whoever serves; the Haskell side reads `last` at offset 0.  */
  CACHE_ALIGNED int64_t last;    /* its chunk's end, exclusive */
  int64_t chunk_number;          /* and the chunk's number, at offset 8 */
  struct loop_context *context;  /* constant */
  unsigned number;               /* constant */
  unsigned draws, next_look;     /* since it looked at the clock; after how many it will */
  int64_t tick;                  /* what the clock showed */
  bool made_room;                /* LOOP_MAKE_ROOM was the last answer */
  unsigned source;               /* parts that are claimed: whose it executes */
  /* Everybody.  */
  CACHE_ALIGNED struct range part; /* chunk numbers; LOOP_DEALT: the k-th chunk of the part */
  _Atomic bool claimed;          /* parts that are not stolen from: somebody executes it */
  /* LOOP_TASKS: the ends of its deque, and how many it created and finished.  */
  CACHE_ALIGNED _Atomic int64_t top; /* thieves and owner */
  CACHE_ALIGNED _Atomic int64_t bottom; /* owner */
  _Atomic uint64_t created;      /* owner */
  _Atomic uint64_t done;         /* owner */
  int64_t sliced, slices_end;    /* owner; a sliced loop: of its chunk, [sliced, slices_end) is left */
};

/* Bits of `state`.  */
#define LOOP_CLOSED 0x80000000u  /* nobody may enter any more */
#define LOOP_WAITER 0x40000000u  /* the caller sleeps until nobody is inside (an MVar) */
#define LOOP_INSIDE 0x3fffffffu  /* helpers that are executing chunks */

/* `attending`: generation << 32 | helpers between their assignment and their
   departure.  */
#define LOOP_GENERATION ((uint64_t)1 << 32)

struct loop_context {
  HsStablePtr job;               /* at offset 0: what helpers perform; 0 when new */
  HsStablePtr cell;              /* at offset 8: the Haskell side's own */
  struct loop_context *next;     /* in the list of all; constant */
  struct loop_context *next_free; /* lock of the free list */
  unsigned capacity;             /* length of worker */
  struct thread *master;         /* forks for it; NULL before the first helper */

  /* Caller writes between loops; helpers read after they have entered.  */
  int64_t count, chunk;
  uint32_t chunks;               /* how many there are */
  unsigned parts;
  enum loop_schedule schedule;
  int64_t slice;                 /* what a chunk is to be, where `chunk` is more; else 0 */
  bool chunk_is_free;            /* nobody asked for a size */
  uint32_t grain;                /* chunks in a draw; constant while helpers may enter */
  /* Caller only.  */
  bool alone;                    /* nobody may enter yet; meanwhile: */
  bool wants_help;               /* it has found that the loop is long, and draws no more */
  uint32_t first_alone;          /* chunks before this one are handed out */
  unsigned draws_alone, next_look_alone; /* until it looks at the clock; from then on */
  uint64_t opened;               /* cycles_now() when the loop began */
  uint64_t worth_help;           /* cycles: a loop of that length asks for help; 0: the least */
  uint64_t predicted;            /* cycles that this loop would have taken alone; 0: not asked */
  bool counted;                  /* in without_help */
  uint64_t without_help, window; /* cycles of loops whose helpers slept; since when */

  CACHE_ALIGNED _Atomic uint32_t state;
  _Atomic bool cancelled;
  _Atomic bool sleeping;         /* LOOP_TASKS: the owner of the group, or it is about to */
  CACHE_ALIGNED _Atomic uint64_t attending;
  struct loop_worker worker[];
};

/* Asks for up to `wanted` helpers for the loop that the context now has open;
   never waits.  Returns how many will come.  */
unsigned ghcomp_loop_call_helpers(struct loop_context *context, unsigned wanted);

/* Helpers attend, or spin: calling them costs no system call.  */
bool ghcomp_loop_helpers_are_awake(const struct loop_context *context);

/* The RTS wants the calling thread's Capability back: for a collection, for
   another Haskell thread, or to deliver an exception.  */
bool ghcomp_loop_is_wanted_elsewhere(void);

/* In a forked child: nobody attends any more.  */
void ghcomp_loop_forget_helpers(struct loop_context *context);
void ghcomp_loop_forget_all_helpers(void);

#endif
