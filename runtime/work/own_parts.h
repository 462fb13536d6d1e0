/* Loops whose chunks may come in any order (schedule(dynamic) without `monotonic`):
   each member begins in a part of its own and takes from others when it has none
   left.  */
#ifndef GHCOMP_WORK_OWN_PARTS_H
#define GHCOMP_WORK_OWN_PARTS_H

#include "work/types.h"

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
