/* Loops and sections over iteration numbers 0…count-1.
   Spec: 5.2, 11.5.3.

   `abi/` turns the compiler's start, end and step into a count (which always
   fits 64 unsigned bits) and numbers back into values; long and unsigned long
   long loops, upward and downward, meet here.  */
#ifndef GHCOMP_WORK_SCHEDULE_H
#define GHCOMP_WORK_SCHEDULE_H

#include "state/thread.h"
#include "state/work.h"

/* Fills kind and chunk of the loop from a schedule kind; 0: run-sched-var of `icv`, the current
   task's.  */
void ghcomp_schedule_choose(struct loop *loop, const struct icv *icv, unsigned schedule, uint64_t chunk);

/* The member enters the construct: loop describes it and is copied.  */
void ghcomp_schedule_begin(struct member *member, const struct loop *loop);

/* The same for what the fork prepared.  */
void ghcomp_schedule_begin_preset(struct member *member, struct team *team);

/* The member's next chunk into loop.first, loop.last; false: there is none.
   Cost: static none; dynamic one addition to a shared line; guided one
   compare-and-swap.  */
bool ghcomp_schedule_next(struct member *member);

/* The member that executes the iteration under schedule(static, chunk), or without a
   chunk where that is 0.  */
unsigned ghcomp_schedule_owner(uint64_t count, uint64_t chunk, unsigned threads,
                               uint64_t iteration);

/* sections: the number of the next section, 1…n, or 0.  */
unsigned ghcomp_schedule_next_section(struct member *member);

/* ----------------------------------------------------------------- own parts */

/* Loops whose chunks may come in any order (schedule(dynamic) without `monotonic`):
   each member begins in a part of its own and takes from others when it has none
   left.  */

struct member;

/* Chunks that a member draws at a time, here and from a shared counter (schedule.c): this
   share of what is left for it, and no more than so many.  */
enum { DRAW_SHARE = 32, DRAW_MOST = 16 };

/* The member has entered the construct.  False: the loop cannot be handed out so,
   because chunk numbers have 32 bits.  */
bool ghcomp_own_parts_begin(struct member *member);

/* The next of the chunks that it has drawn, if there is one.  Of loops that are handed out
   in another way there is none.  */
static inline bool ghcomp_own_parts_next_drawn(struct loop *loop)
{
  if (loop->drawn == loop->drawn_end)
    return false;
  loop->first = loop->drawn++ * loop->chunk;
  loop->last = loop->count - loop->first > loop->chunk ? loop->first + loop->chunk : loop->count;
  return true;
}

/* The member's next chunk, as ghcomp_schedule_next.  */
bool ghcomp_own_parts_next(struct member *member);

#endif
