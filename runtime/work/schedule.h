/* Loops and sections over iteration numbers 0…count-1.
   Spec: 5.2, 11.5.3.

   `abi/` converts the compiler's start, end and step into a count, which always fits into 64
   unsigned bits, and numbers back into values.  So long and unsigned long long loops, upward and
   downward, are the same here.  */
#ifndef GHCOMP_WORK_SCHEDULE_H
#define GHCOMP_WORK_SCHEDULE_H

#include "state/thread.h"
#include "state/work.h"

/* Sets the loop's kind and chunk from a schedule kind; 0: from run-sched-var of `icv`, the current
   task's.  */
void ghcomp_schedule_choose(struct loop *loop, const struct icv *icv, unsigned schedule, uint64_t chunk);

/* The member enters the construct.  `loop` describes it, and is copied.  */
void ghcomp_schedule_begin(struct member *member, const struct loop *loop);

/* The same for a loop that the fork has prepared.  */
void ghcomp_schedule_begin_preset(struct member *member, struct team *team);

/* Sets loop.chunk_first and loop.chunk_end to the member's next chunk, or to several that follow each other: not if
   the loop is ordered or is_doacross.  False: there is none.
   Cost: static: nothing shared; dynamic: an addition to a shared line; guided: a
   compare-and-swap.  */
bool ghcomp_schedule_next(struct member *member);

/* The member that executes the iteration under schedule(static, chunk); chunk 0: without a chunk
   size.  */
unsigned ghcomp_schedule_owner(uint64_t count, uint64_t chunk, unsigned threads,
                               uint64_t iteration);

/* sections: the number of the next section, 1…n; 0: there is none.
   Cost: up to eight members: an addition to a shared line; more: seldom more than one look at a line that some share.  */
unsigned ghcomp_sections_next(struct member *member);

/* ----------------------------------------------------------------- own parts */

/* Loops whose chunks may come in any order (schedule(dynamic) without `monotonic`).  Each member
   begins in a part of its own, and takes from others when it has none left.  */

struct member;

/* How many chunks a member draws at a time, here and from a shared counter (schedule.c): what is
   left for it, divided by DRAW_DIVISOR, and at most DRAW_MOST.  Compiled code gets them as one range.  */
enum { DRAW_DIVISOR = 32, DRAW_MOST = 16 };

/* The member has entered the construct.  False: the loop cannot be handed out in this way, because
   it has too many chunks for 32 bits, or there are no parts.  */
bool ghcomp_own_parts_begin(struct member *member);

/* The member's next chunk, as in ghcomp_schedule_next.  */
bool ghcomp_own_parts_next(struct member *member);

#endif
