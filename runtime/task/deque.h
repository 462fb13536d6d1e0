/* The work-stealing deque: its owner pushes and takes at the bottom, anybody
   steals at the top.  See deque.md.
   Source: Chase and Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005;
   memory orders after Lê, Pop, Cohen and Zappa Nardelli, "Correct and Efficient
   Work-Stealing for Weak Memory Models", PPoPP 2013, with sequentially
   consistent read-modify-writes in place of its fences.  */
#ifndef GHCOMP_TASK_DEQUE_H
#define GHCOMP_TASK_DEQUE_H

#include "task/types.h"

/* Owner.  Ends with a full barrier, so that a look at who sleeps afterwards
   cannot miss one.  */
void ghcomp_deque_push(struct deque *deque, struct task *task);

/* Owner.  Takes the youngest task if it passes `accept` (NULL: any).  */
struct task *ghcomp_deque_take(struct deque *deque,
                               bool (*accept)(struct task *, struct task *), struct task *argument);

/* Owner.  Takes the oldest, as thieves do.  */
struct task *ghcomp_deque_take_oldest(struct deque *deque,
                                      bool (*accept)(struct task *, struct task *),
                                      struct task *argument);

/* Anybody.  Takes the oldest task if it passes `accept`, which may be called
   with a task that somebody else has taken meanwhile (headers stay readable).
   NULL also when another thief was faster.  */
struct task *ghcomp_deque_steal(struct deque *deque,
                                bool (*accept)(struct task *, struct task *),
                                struct task *argument);

/* Anybody.  Is there one that passes?  True may be out of date at once.
   Cost: each task is looked at.  */
bool ghcomp_deque_holds(struct deque *deque, bool (*accept)(struct task *, struct task *),
                        struct task *argument);

/* Anybody; a hint unless called by the owner.  */
static inline int64_t ghcomp_deque_length(const struct deque *deque)
{
  return load_relaxed(&deque->bottom) - load_relaxed(&deque->top);
}

/* Owner: how many thieves have taken, ever.  */
static inline int64_t ghcomp_deque_stolen(const struct deque *deque)
{
  return load_relaxed(&deque->top) - deque->own_tops;
}

/* Anybody: may it have a task?  What was pushed before the look at the bottom, in the order
   of the sequentially consistent operations, is seen or has been taken.  */
static inline bool ghcomp_deque_is_empty(struct deque *deque)
{
  int64_t top = load_relaxed(&deque->top);
  return load_seq_cst(&deque->bottom) <= top; /* pairs with push */
}

#endif
