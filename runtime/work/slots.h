/* The slots of a team's worksharing constructs: which instance of a construct
   a member is in, with any number of nowait constructs in flight.

   Slots stand in blocks; blocks form a chain that grows at the front as the
   fastest member goes on and is recycled at the back when the slowest has left
   a block.  A slot needs no preparation: all-zero is its first state.  */
#ifndef GHCOMP_WORK_SLOTS_H
#define GHCOMP_WORK_SLOTS_H

#include "state/thread.h"
#include "state/work.h"

/* What a construct needs beyond the slot.  */
struct slot_extra {
  struct doacross *doacross; /* ordered.c's */
  void **reductions;         /* reduction(task, …): the private copies of each list */
  unsigned reduction_lists;
  void *scratch;             /* zeroed, shared */
};

/* How to make it; all members have the same.  */
struct slot_plan {
  uintptr_t *reductions;  /* the compiler's list, or NULL */
  size_t scratch;         /* bytes, or 0 */
  unsigned dimensions;    /* of a doacross loop, or 0 */
  const uint64_t *counts; /* per dimension */
  const struct loop *loop; /* the outermost one */
  unsigned threads;
};

/* The member enters its next construct.
   Cost: no shared write, but for one in BLOCK_SLOTS constructs.  */
struct slot *ghcomp_slots_enter(struct member *member);

/* Parts for the construct that the member has just entered, one for each member.  NULL
   where there is no memory for them: the same for all members.  */
struct own_part *ghcomp_slots_parts(struct member *member);

/* The slot's extra.  Every member prepares one from the plan unless it finds
   one; the first to publish wins and the others' is undone.  */
struct slot_extra *ghcomp_slots_extra(struct slot *slot, const struct slot_plan *plan);

/* A new team's first block.  False without memory.  */
bool ghcomp_slots_make(struct team *team);

/* After a region whose members may stand at different constructs (it was
   cancelled): all of them zero, everybody back at the first.
   Requires: no member runs.  */
void ghcomp_slots_reset(struct team *team);

/* -------------------------------------------------------------------- single */

/* single and copyprivate.  Spec: 5.2, 11.1, 5.7.2.  */

struct member;

/* True for one member of the team.
   Cost: a look at a shared line, and one swap for those that find it free.  */
bool ghcomp_single_claim(struct member *member);

/* copyprivate: NULL for that member; the others wait for its data.  */
void *ghcomp_single_claim_or_wait(struct member *member);
void ghcomp_single_publish(struct member *member, void *data);

/* ------------------------------------------------------------------- ordered */

/* The ordered construct and doacross loops.  Spec: 5.2, 15.10.  */

struct member;

/* Waits until all iterations before the member's current chunk have passed.  */
void ghcomp_ordered_enter(struct member *member);

/* The ordered construct ends: with one iteration in the chunk, the next
   member's turn comes at once.  */
void ghcomp_ordered_leave(struct member *member);

/* The member is through with its chunk: its successor's turn.  */
void ghcomp_ordered_pass(struct member *member);

/* The counters of a doacross loop with `counts[dimensions]` iterations, of which the
   outermost are those of the loop.  */
struct doacross *ghcomp_ordered_make_doacross(const struct loop *loop, unsigned threads,
                                              unsigned dimensions, const uint64_t *counts);

/* Iteration vector `at` is done / wait until it is.  */
void ghcomp_ordered_post(struct member *member, const uint64_t *at);
void ghcomp_ordered_wait(struct member *member, const uint64_t *at);

/* Number of dimensions of the member's current doacross loop.  */
unsigned ghcomp_ordered_dimensions(const struct member *member);

#endif
