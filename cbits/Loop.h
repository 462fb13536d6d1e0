/* Loops with Haskell bodies: what the C files of a loop and the Haskell module GHC.OpenMP.Loop.Run
   share.  See Loop.md for the protocol, and for which file does what.  */
#ifndef GHCOMP_CBITS_LOOP_H
#define GHCOMP_CBITS_LOOP_H

#include "base/atomics.h"
#include "base/memory.h"
#include "state/thread.h"
#include "task/deque.h"
#include "work/own_parts.h"

#include <HsFFI.h>

/* How chunks are handed out (GHC.OpenMP.Loop.Run has the numbers).  */
enum handing_out {
  WHOLE_PARTS,  /* equal contiguous parts, each for the one that claims it */
  DEALT_CHUNKS, /* the same, part i of p being chunks i, i+p, i+2p, ... */
  STEALING,     /* as WHOLE_PARTS, but who has none left takes from the others */
  SHRINKING,    /* the same, by half of what is left at a time */
  NO_CHUNKS,    /* a task group: no iterations */
};

/* What ghcomp_loop_next returns beside an iteration.  */
enum { LOOP_DONE = -1, LOOP_MAKE_ROOM = -2 };

/* What ghcomp_loop_close returns beside a number.  */
#define LOOP_WANTS_HELP UINT32_MAX

/* One of those that execute the loop; number 0 is the caller.  */
struct loop_worker {
  /* Who serves as it; the Haskell side reads the first two, at offsets 0 and 8.  */
  CACHE_ALIGNED int64_t last;    /* its chunk's end, exclusive */
  int64_t chunk_number;          /* and the chunk's number */
  struct loop_context *context;  /* constant */
  int64_t tick;                  /* what the clock showed */
  int64_t sliced, slices_end;    /* a sliced loop: of its chunk, [sliced, slices_end) is left */
  unsigned number;               /* constant */
  uint32_t seen;                 /* a task group: what had happened when it looked last */
  uint8_t draws, next_look;      /* since it looked at the clock; after how many it will */
  bool made_room;                /* LOOP_MAKE_ROOM was the last answer */
  /* A task group: the deque's positions, and how many tasks it created and finished.  */
  struct deque deque;
  CACHE_ALIGNED _Atomic uint64_t created; /* it writes, everybody reads, as the next one */
  _Atomic uint64_t done;
  /* Who serves as it: of a whole part, chunks (of DEALT_CHUNKS, by their place in it).  */
  uint32_t next_of_part, part_end;
  unsigned claimed_part;
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
  unsigned capacity;             /* length of worker, and of parts.part */
  struct thread *master;         /* forks for it; NULL before the first helper */

  /* Caller writes between loops; helpers read after they have entered.  */
  int64_t count, chunk;
  uint32_t chunks;               /* how many there are */
  struct parts parts;            /* of those that the caller has not executed alone */
  enum handing_out handing_out;
  int64_t slice;                 /* what a chunk is to be, where `chunk` is more; else 0 */
  bool chunk_is_free;            /* nobody asked for a size */
  uint32_t grain;                /* chunks in a draw; constant while helpers may enter */
  /* Caller only; see LoopAlone.c.  */
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
  _Atomic bool sleeping;         /* a task group: its owner sleeps, or is about to */
  _Atomic uint32_t outside;      /* a task group: what others than its members have done */
  CACHE_ALIGNED _Atomic uint64_t attending;
  struct loop_worker worker[];
};

/* ------------------------------------------------------------------ LoopChunks.c */

/* The worker has entered, or is the caller of a loop that is being opened: it begins its own part.  */
void ghcomp_loop_begin_part(struct loop_worker *worker);

/* ------------------------------------------------------------------- LoopAlone.c */

/* The caller is alone, and it is time to look at the clock: the loop will be long enough for helpers.  */
bool ghcomp_loop_is_long(struct loop_context *context);

/* The loop is over, and asked for helpers: was it worth it?  */
void ghcomp_loop_judge_help(struct loop_context *context);

/* ----------------------------------------------------------------- LoopHelpers.c */

/* Asks for up to `wanted` helpers for the loop that the context now has open;
   never waits.  Returns how many will come.  */
unsigned ghcomp_loop_call_helpers(struct loop_context *context, unsigned wanted);

/* Helpers attend, or spin: calling them costs no system call.  */
bool ghcomp_loop_helpers_are_awake(const struct loop_context *context);

/* In a forked child: nobody attends any more.  */
void ghcomp_loop_forget_helpers(struct loop_context *context);
void ghcomp_loop_forget_all_helpers(void);

/* ------------------------------------------------------------------------ Task.c */

/* A task group begins: its members' deques are empty.  */
void ghcomp_task_begin_group(struct loop_context *context);

#endif
