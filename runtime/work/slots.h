/* The slots of a team's worksharing constructs: which instance of a construct a member is in, with
   any number of nowait constructs at the same time.  See slots.md.  */
#ifndef GHCOMP_WORK_SLOTS_H
#define GHCOMP_WORK_SLOTS_H

#include "state/thread.h"
#include "state/work.h"

/* What a construct needs in addition to its slot.  */
struct slot_extra {
  struct doacross *doacross; /* ordered.c's */
  struct across *across;     /* across.c's */
  void **reductions;         /* reduction(task, …): the private copies of each list */
  unsigned reduction_lists;
  void *scratch;             /* zeroed, shared */
};

/* The values of a loop's variable.  */
struct span {
  int64_t first, last, step; /* last belongs to it */
};

/* How to make the extra.  All members have the same plan.  */
struct slot_plan {
  uintptr_t *reductions;  /* the compiler's list, or NULL */
  size_t scratch;         /* bytes, or 0 */
  unsigned dimensions;    /* of a doacross loop, or 0 */
  const uint64_t *counts; /* per dimension */
  unsigned span_count;    /* or 0 */
  const struct span *spans;
  const struct loop *loop; /* the outermost one */
  unsigned threads;
};

/* The member enters its next construct.
   Cost: no shared write, except once in BLOCK_SLOTS constructs.  */
struct slot *ghcomp_slots_enter(struct member *member);

/* The same in a team of several threads.  */
struct slot *ghcomp_slots_enter_shared(struct member *member);

/* The number of the construct that the member has entered last, in a team of several threads: from 1, and larger than that
   of any construct before it.  */
static inline uint64_t ghcomp_slots_number(const struct member *member)
{
  return member->work.next_slot.block->number * BLOCK_SLOTS + member->work.next_slot.index;
}

/* Parts for the construct that the member has just entered, one for each member.  NULL: the block
   has none; then no member gets any.  */
struct own_part *ghcomp_slots_parts(struct member *member);

/* A mark of the construct that the member has just entered.  */
static inline _Atomic bool *ghcomp_slots_mark(const struct member *member, unsigned line)
{
  return &member->work.next_slot.block->marks[line].of_slot[member->work.next_slot.index - 1];
}

/* Called before the member sets a mark.  */
static inline void ghcomp_slots_use_marks(const struct member *member)
{
  struct slot_block *block = member->work.next_slot.block;
  if (!load_relaxed(&block->marks_used))
    store_relaxed(&block->marks_used, true);
}

/* The slot's extra.  A member that finds none makes one from the plan.  The first one that is
   published is used, and the others are undone.  */
struct slot_extra *ghcomp_slots_extra(struct slot *slot, const struct slot_plan *plan);

/* Makes a new team's first blocks.  False: there is no memory.  */
bool ghcomp_slots_make(struct team *team);

/* The same in zeroed memory that stays the team's.  */
void ghcomp_slots_make_in(struct team *team, struct slot_block *block);

/* Clears all slots and sets the team's start back.  For members that may be at different
   constructs, because the region was cancelled or the team's size has changed.
   Requires: no member runs.  */
void ghcomp_slots_reset(struct team *team);

/* -------------------------------------------------------------------- single */

/* single and copyprivate.  Spec: 5.2, 11.1, 5.7.2.  */

struct member;

/* True: the calling member executes the construct.  It is true for one member of the team.
   Cost: a look at a shared line, and a swap if the construct seems to be free.  */
bool ghcomp_single_claim(struct member *member);

/* The same for a compiler that says only afterwards, by a call of publish or wait, that data is copied out.  */
bool ghcomp_single_claim_to_copy(struct member *member);
void *ghcomp_single_wait(struct member *member);

/* copyprivate: NULL for the member that executes the construct.  The others wait for its data.  */
void *ghcomp_single_claim_or_wait(struct member *member);
void ghcomp_single_publish(struct member *member, void *data);

/* ------------------------------------------------------------------- ordered */

/* The ordered construct and doacross loops.  Spec: 5.2, 15.10.  */

struct member;

/* The member, of several, has entered an ordered loop.  */
void ghcomp_ordered_begin(struct member *member);

/* The member has its next chunk, or none.  */
void ghcomp_ordered_begin_chunk(struct member *member);

/* Waits until all iterations before the member's current chunk have passed their ordered constructs.  */
void ghcomp_ordered_enter(struct member *member);

/* The ordered construct ends.  After the last iteration of the chunk, the next chunk may enter at once.
   GCC's code does not tell the end of an iteration; then only a chunk of one has a known last iteration.  */
void ghcomp_ordered_leave(struct member *member);

/* An iteration of the chunk ends.  */
static inline void ghcomp_ordered_finish_iteration(struct loop *loop)
{
  loop->finished++;
}

/* The member has finished its chunk: the next chunk may enter.  */
void ghcomp_ordered_pass(struct member *member);

/* Makes the counters of a doacross loop with `counts[dimensions]` iterations.  The outermost ones
   are those of the loop.  */
struct doacross *ghcomp_ordered_make_doacross(const struct loop *loop, unsigned threads,
                                              unsigned dimensions, const uint64_t *counts);

/* post: iteration vector `at` is done. wait: waits until it is.  */
void ghcomp_ordered_post(struct member *member, const uint64_t *at);
void ghcomp_ordered_wait(struct member *member, const uint64_t *at);

/* The number of dimensions of the member's current doacross loop.  */
unsigned ghcomp_ordered_dimensions(const struct member *member);

/* -------------------------------------------------------------------- across */

/* Doacross loops in the source's own values, whose iterations another construct hands out, in any way: across.c.
   The member is in one of so many dimensions from here to its next single or loop of this kind.  */
void ghcomp_across_begin(struct member *member, unsigned dimensions, const struct span *spans);

/* The iteration of these values is done / wait until it is; one that is none of the loop's is nobody's.  */
void ghcomp_across_post(struct member *member, const int64_t *at);
void ghcomp_across_wait(struct member *member, const int64_t *at);

/* For slots.c.  */
struct across *ghcomp_across_make(unsigned dimensions, const struct span *spans);

#endif
