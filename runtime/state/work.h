/* What the members of a team share about a worksharing construct, and a loop in iteration
   numbers.  */
#ifndef GHCOMP_STATE_WORK_H
#define GHCOMP_STATE_WORK_H

#include "base/memory.h"
#include "state/range.h"

#include <stdbool.h>
#include <stdint.h>

struct slot_extra;

/* A slot begins all-zero, so no member has to prepare it for the others.  */
struct slot {
  CACHE_ALIGNED _Atomic uint64_t next; /* iterations (or sections) handed out */
  _Atomic uint32_t claimed;            /* single: a member has it */
  _Atomic uint32_t sleepers;           /* members that wait for a word of the construct */
  _Atomic uint64_t ordered_done;       /* ordered: iterations that have passed it, in order */
  _Atomic(void *) copied;              /* copyprivate: the data of the member that has the single */
  _Atomic(struct slot_extra *) extra;  /* doacross, reductions, scratch memory */
};

#define BLOCK_SLOTS 16

/* A thread's part of a loop whose chunks may come in any order, in chunk numbers.  See
   own_parts.h.  */
struct own_part {
  CACHE_ALIGNED struct range range;
};

struct slot_block {
  struct slot slots[BLOCK_SLOTS];
  _Atomic(struct own_part *) parts; /* team->capacity for each slot; NULL: none was needed */
  _Atomic bool parts_used;          /* since the parts were cleared */
  bool plain;                       /* without parts: it was made far ahead of the slowest member */
  uint32_t number;                  /* in the chain, mod 2^32 */
  CACHE_ALIGNED _Atomic(struct slot_block *) next; /* set once, by compare-and-swap */
  _Atomic uint32_t left;                           /* members that have gone on to `next` */
};

/* Where the next construct of a member finds its slot.  */
struct position {
  struct slot_block *block;
  unsigned index;
};

enum loop_kind { LOOP_NONE, LOOP_STATIC, LOOP_DYNAMIC, LOOP_GUIDED, LOOP_OWN };

/* A loop in terms of iteration numbers 0…count-1; see schedule.c.  */
struct loop {
  enum loop_kind kind;
  bool ordered;
  bool pipelined;      /* iterations wait for earlier ones: doacross */
  bool exhausted_adds; /* the counter may be raised by plain additions, which cannot overflow */
  bool whole_chunks;   /* LOOP_GUIDED: multiples of the chunk, but for the last */
  uint64_t count, chunk;
  uint64_t begin, end, step;  /* as the compiler gave them, mod 2^64 */
  union {
    uint64_t sections;        /* sections: how many */
    uint64_t finished;        /* ordered: iterations of the current chunk, as far as compiled code tells */
  };
  uint64_t trip;              /* static: chunks that this member has executed */
  uint64_t first, last;       /* its current chunk: iterations [first, last) */
  struct own_part *parts;     /* LOOP_OWN: of all members */
  uint32_t chunks;            /* LOOP_OWN, LOOP_DYNAMIC: of the whole loop; 0: more than 32 bits */
  uint32_t drawn, drawn_end;  /* the same: chunks that it has drawn and not begun */
  uint32_t drew;              /* LOOP_DYNAMIC: how many it drew the last time, */
  uint64_t drew_at;           /* and when: cycles */
  bool own_part_begun;                 /* LOOP_OWN */
  bool keeps_last, had_last;  /* LOOP_OWN: it has drawn the loop's last chunk, for later */
  struct slot *slot;
};

#endif
