/* What the members of a team share about a worksharing construct, and a loop in iteration
   numbers.  */
#ifndef GHCOMP_STATE_WORK_H
#define GHCOMP_STATE_WORK_H

#include "base/memory.h"
#include "state/range.h"

#include <stdbool.h>
#include <stdint.h>

struct slot_extra;
struct waiter;

/* A slot begins all-zero, so no member has to prepare it for the others.  */
struct slot {
  CACHE_ALIGNED _Atomic uint64_t handed_out; /* iterations, or sections; LOOP_OWN_PARTS: 1 if the last chunk is taken */
  _Atomic uint32_t single_claimed;     /* by a member */
  _Atomic uint32_t sleepers;           /* members that wait for a word of the construct */
  _Atomic uint32_t gone_on;            /* in a large team: members of a group that have left the block; slots.c */
  _Atomic uint64_t ordered_done;       /* ordered: iterations that have passed it, in order */
  _Atomic(void *) published;           /* by one member: data of copyprivate, or copies of a reduction */
  _Atomic(struct slot_extra *) extra;  /* doacross, reductions, scratch memory */
};

#define BLOCK_SLOTS 16
#define MARK_LINES 4 /* simulated, 8 gain nothing */

/* Where a member waits for its turn in an ordered loop.  See ordered.c.  All bits set: nobody has written to it.  */
struct own_turn {
  _Atomic uint64_t passed;            /* the last iteration before the turn, when it has passed the construct */
  _Atomic(struct waiter *) sleeper;   /* who sleeps until then; TURN_NOBODY: nobody */
};
#define TURN_NOBODY ((struct waiter *)UINTPTR_MAX)

/* A thread's part of a loop, on a line of its own.  If the chunks may come in any order: its chunk numbers; see
   own_parts.h.  */
struct own_part {
  CACHE_ALIGNED union {
    struct range range;
    struct own_turn turn;
  };
};

/* Part of work/: in large teams, for each of the block's slots, what those members share that the line is for.  Sections: all have
   been drawn; see sections.c.  Single: one of the members has come to it; see single.c.  */
struct slot_marks {
  CACHE_ALIGNED _Atomic bool of_slot[BLOCK_SLOTS];
};

struct slot_block {
  struct slot slots[BLOCK_SLOTS];
  struct slot_marks marks[MARK_LINES];
  _Atomic(struct own_part *) parts; /* team->capacity for each slot; NULL: none was needed */
  _Atomic bool parts_used;          /* since the parts were cleared */
  _Atomic bool marks_used;          /* the same */
  bool without_parts;               /* it was made far ahead of the slowest member */
  bool stays;                       /* it is part of its team, and not released */
  uint64_t number;                  /* in the chain; no number comes twice */
  CACHE_ALIGNED _Atomic(struct slot_block *) next; /* set once, by compare-and-swap */
  _Atomic uint32_t members_gone_on;                /* to `next`: members, or groups of them */
};

/* Where a member is among the constructs of its region.  */
struct slot_position {
  struct slot_block *block;    /* where its next construct finds a slot */
  unsigned index;
  unsigned reductions;         /* that it has come to and whose values members combine; team/reduce.c */
};

enum loop_kind { LOOP_NONE, LOOP_STATIC, LOOP_DYNAMIC, LOOP_GUIDED, LOOP_OWN_PARTS };

/* A loop in terms of iteration numbers 0…count-1; see schedule.c.  */
struct loop {
  enum loop_kind kind;
  bool ordered;
  bool is_doacross;           /* iterations wait for earlier ones */
  bool adds_cannot_overflow;  /* so the counter may be raised by plain additions */
  bool whole_chunks;          /* LOOP_GUIDED: multiples of the chunk, but for the last */
  uint64_t count, chunk;
  uint64_t begin, end, step;  /* as the compiler gave them, mod 2^64 */
  union {
    uint64_t sections;        /* sections: how many */
    uint64_t finished;        /* ordered: iterations of the current chunk, as far as compiled code tells */
  };
  uint64_t static_chunks_done;     /* by this member */
  uint64_t chunk_first, chunk_end; /* its current chunk, or chunks: iterations [chunk_first, chunk_end) */
  struct own_part *parts;     /* LOOP_OWN_PARTS: of all members; ordered: their turns, or NULL */
  unsigned turn;              /* ordered, with parts: the number of the current chunk's */
  uint32_t chunks;            /* LOOP_OWN_PARTS, LOOP_DYNAMIC: of the whole loop; 0: more than 32 bits */
  uint32_t drawn_end;         /* LOOP_DYNAMIC: where its last draw ended */
  uint32_t last_draw;         /* LOOP_DYNAMIC: of how many chunks, */
  uint64_t last_draw_at;      /* and when: cycles */
  bool own_part_begun;        /* LOOP_OWN_PARTS, as the next one */
  bool took_last_chunk;       /* of the loop */
  struct slot *slot;
};

#endif
