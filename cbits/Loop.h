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
  STEALING,     /* as WHOLE_PARTS, but a worker that has none left takes from others */
  SHRINKING,    /* the same, by half of what is left at a time */
  NO_CHUNKS,    /* a task group: no iterations */
};

/* What ghcomp_loop_next returns beside an iteration: there is none; the Haskell thread must allocate something and ask again; the caller
   was alone, and the loop has become long (CLOSE_WANTS_HELP).  */
enum { NEXT_NONE = -1, NEXT_GIVE_WAY = -2, NEXT_WANTS_HELP = -3 };

/* What ghcomp_loop_close returns beside a number.  */
#define CLOSE_WANTS_HELP UINT32_MAX

/* One of the threads that execute the loop; number 0 is the caller.  */
struct loop_worker {
  /* Written by the thread that serves.  The Haskell side reads the first two, at offsets 0 and
     8.  */
  CACHE_ALIGNED int64_t chunk_end; /* exclusive */
  int64_t chunk_number;
  struct loop_context *context;  /* constant */
  int64_t clock_seen;            /* at the last look */
  int64_t rest_begin, rest_end;  /* a sliced loop: of its chunk, [rest_begin, rest_end) is left */
  unsigned number;               /* constant */
  uint32_t news_seen;            /* a task group: how much had happened at its last look; UINT32_MAX:
                                    it has not looked */
  uint8_t draws_since_look, draws_between_looks; /* looks at the clock */
  bool gave_way;                 /* NEXT_GIVE_WAY was the last answer */
  /* A task group: the positions of its deques (enum task_kind), and how many tasks it has created and finished.  */
  struct deque deque[2];
  CACHE_ALIGNED _Atomic uint64_t created; /* it writes, all read; the same for the next */
  _Atomic uint64_t done;
  /* Written by the thread that serves: the chunks of a whole part (DEALT_CHUNKS: their numbers in
     the part).  */
  uint32_t next_of_part, part_end;
  unsigned claimed_part;
};

/* Bits of `state`.  */
#define STATE_CLOSED 0x80000000u        /* no helper may enter any more */
#define STATE_CALLER_SLEEPS 0x40000000u /* on an MVar, until no helper is inside */
#define STATE_INSIDE 0x3fffffffu        /* how many helpers are inside */

/* `attending`: generation << 32 | the number of helpers between their assignment and their
   departure.  */
#define ATTENDING_GENERATION ((uint64_t)1 << 32)

struct loop_context {
  HsStablePtr job;               /* at offset 0: the action of helpers; 0: a new context */
  HsStablePtr seat;              /* at offset 8: of the Haskell side, which alone uses it */
  struct loop_context *next;     /* in the list of all; constant */
  struct loop_context *next_free; /* lock of the free list */
  _Atomic bool in_more_free;      /* written under that lock */
  unsigned capacity;             /* length of `worker`, and of parts.part */
  struct thread *master;         /* forks for it; NULL before the first helper */

  _Atomic uint32_t watch;        /* LoopWatch.c; the caller writes it, and seldom the watching thread */

  /* The caller writes these between loops.  Helpers read them after they have entered.  */
  int64_t count, chunk;
  uint32_t chunks;               /* how many there are */
  struct parts parts;            /* of the chunks that the caller has not executed alone */
  enum handing_out handing_out;
  int64_t slice_size;            /* the requested size of a chunk, if `chunk` is larger; else 0 */
  bool chunk_not_requested;      /* no size was requested */
  bool count_unknown;            /* whoever finds that there is no further iteration ends the loop */
  uint32_t chunks_per_draw;      /* constant while helpers may enter */
  /* Caller only; see LoopAlone.c.  */
  bool alone;                    /* no helper may enter yet */
  bool wants_help;               /* it has found that the loop is long, and draws no more */
  uint32_t next_alone;           /* the chunk that it draws next */
  unsigned draws_to_look, draws_between_looks; /* looks at the clock */
  uint64_t opened_at;            /* cycles: the first draw alone */
  uint64_t help_threshold;       /* cycles: a loop of this length calls helpers; 0: the least */
  uint64_t predicted_alone;      /* cycles that this loop would have taken; 0: it called no helpers */
  bool in_without_help;          /* its time is in without_help */
  uint64_t without_help, without_help_since; /* cycles of loops that had no help because helpers
                                                slept; and since when */

  CACHE_ALIGNED _Atomic uint32_t state;
  _Atomic bool cancelled;
  _Atomic bool sleeping;         /* a task group: its owner sleeps, or is about to */
  _Atomic uint32_t news_from_outside; /* a task group: how much threads that are no members did */
  _Atomic uint64_t done_by_guests; /* a task group: tasks of its deques */
  CACHE_ALIGNED _Atomic uint64_t attending;
  struct loop_worker worker[];
};

/* ------------------------------------------------------------------ LoopChunks.c */

/* The worker begins its own part, if there are chunks.
   Called by: a helper that has entered, or the caller of a loop that is being opened.  */
void ghcomp_loop_begin_part(struct loop_worker *worker);

/* The next chunk's first iteration, with its end in worker->chunk_end; or NEXT_NONE, NEXT_GIVE_WAY or NEXT_WANTS_HELP.  */
int64_t ghcomp_loop_next(struct loop_worker *worker);

/* ------------------------------------------------------------------- LoopAlone.c */

/* True: the loop is long enough for helpers.
   Called by: the caller, alone, when it is time to look at the clock.  */
bool ghcomp_loop_is_long(struct loop_context *context);

/* The loop is over, and has called helpers: learns whether that was worthwhile.  */
void ghcomp_loop_judge_help(struct loop_context *context);

/* ----------------------------------------------------------------- LoopHelpers.c */

/* Calls up to `wanted` helpers for the loop that the context has open now.  Never waits.  Returns
   how many will come.  */
unsigned ghcomp_loop_call_helpers(struct loop_context *context, unsigned wanted);

/* True: helpers attend or spin, so calling them needs no system call.  */
bool ghcomp_loop_helpers_are_awake(const struct loop_context *context);

/* In a forked child: no helper attends any more.  */
void ghcomp_loop_forget_helpers(struct loop_context *context);
void ghcomp_loop_forget_all_helpers(void);

/* --------------------------------------------------------------- LoopContext.c */

/* The first of all contexts; each has the next one.  */
struct loop_context *ghcomp_loop_contexts(void);

/* No caller has the context.  Sequentially consistent with ghcomp_loop_take.  */
bool ghcomp_loop_is_free(struct loop_context *context);

/* ------------------------------------------------------------------- LoopWatch.c */

/* A loop begins in which no body can hold up another one.  */
void ghcomp_loop_needs_no_watch(struct loop_context *context);

/* The loop is over.  */
void ghcomp_loop_end_watch(struct loop_context *context);

/* True: the loop is to be watched, and no thread is awake that does.
   Called by: the caller of the loop, after ghcomp_loop_take.  */
bool ghcomp_loop_lacks_watcher(const struct loop_context *context);

void ghcomp_loop_forget_watcher(void);

/* `watch`: the number of loops that the context has executed << 1 | nobody needs to watch this one.  */
enum { WATCH_SETTLED = 1 };

/* True: nobody watches the loop, because there was nothing to do for others.  */
static inline bool ghcomp_loop_is_settled(const struct loop_context *context)
{
  return (load_seq_cst(&context->watch) & WATCH_SETTLED) != 0;
}

/* ------------------------------------------------------------------------ Loop.c */

void ghcomp_loop_admit(struct loop_context *context);

/* A thread that has no worker enters.  False: the loop is closed.  */
HsBool ghcomp_loop_enter_as_guest(struct loop_context *context);

/* ------------------------------------------------------------------------ Task.c */

/* A task group begins: makes its members' deques empty.  */
void ghcomp_task_begin_group(struct loop_context *context);

/* True: a member's deque has a task.  */
bool ghcomp_task_any_waits(struct loop_context *context);

/* ------------------------------------------------------------------- LoopShare.c */

/* True: the Haskell thread (an StgTSO) is blocked, and cannot go on before the caller gives its Capability away.  */
bool ghcomp_loop_holds_still(const void *thread);

#endif
