/* The work-stealing deque: its owner pushes and takes at the bottom, anybody
   steals at the top.  See deque.md.
   Source: Chase and Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005;
   memory orders after Lê, Pop, Cohen and Zappa Nardelli, "Correct and Efficient
   Work-Stealing for Weak Memory Models", PPoPP 2013, with sequentially
   consistent read-modify-writes in place of its fences.  */
#ifndef GHCOMP_TASK_DEQUE_H
#define GHCOMP_TASK_DEQUE_H

#include "base/atomics.h"
#include "state/task.h"

/* ----------------------------------------------------------------- positions */

/* The protocol by itself: a deque gives positions away, and who has it knows what stands at them.
   Tasks of OpenMP stand in `array` (below).  Closures of Haskell move when they are collected: they
   stand in arrays of Haskell's (cbits/Task.c), and `array` stays NULL.  */

enum { DEQUE_NONE = -1 };

/* Owner, while nobody else looks: it is empty.  */
static inline void ghcomp_deque_reset(struct deque *deque)
{
  store_relaxed(&deque->top, 0);
  store_relaxed(&deque->bottom, 0);
  deque->own_tops = 0;
}

/* Owner: where the next element is to be written, before ghcomp_deque_offer; DEQUE_NONE where
   `capacity` of them wait already.  */
static inline int64_t ghcomp_deque_room(struct deque *deque, int64_t capacity)
{
  int64_t bottom = load_relaxed(&deque->bottom);
  /* Pairs with ghcomp_deque_claim_oldest: a thief has read what is written over.  */
  return bottom - load_acquire(&deque->top) < capacity ? bottom : DEQUE_NONE;
}

/* Owner: the element at this position, which is written, is for everybody.  Ends with a full barrier,
   so that a look at who sleeps afterwards cannot miss one.  */
static inline void ghcomp_deque_offer(struct deque *deque, int64_t position)
{
  swap_seq_cst(&deque->bottom, position + 1); /* pairs with ghcomp_deque_oldest */
}

/* The same, where nobody who sleeps has to hear of it.  */
static inline void ghcomp_deque_offer_quietly(struct deque *deque, int64_t position)
{
  store_release(&deque->bottom, position + 1); /* the same */
}

/* Owner: the youngest position, which is not the caller's yet, or DEQUE_NONE.  */
static inline int64_t ghcomp_deque_youngest(struct deque *deque)
{
  int64_t bottom = load_relaxed(&deque->bottom) - 1;
  return bottom < load_relaxed(&deque->top) ? DEQUE_NONE : bottom;
}

/* Owner: takes the youngest.  False: a thief was faster.  */
static inline bool ghcomp_deque_claim_youngest(struct deque *deque, int64_t position)
{
  /* Claims the bottom, then looks where the thieves are; pairs with the order top, bottom in
     ghcomp_deque_oldest.  */
  swap_seq_cst(&deque->bottom, position);
  int64_t top = load_seq_cst(&deque->top);
  if (top < position)
    return true;
  /* Decides against thieves, who change the same word, and releases the bottom to them: who
     finds the new top finds no older bottom.  */
  bool mine = top == position && cas_release(&deque->top, &top, top + 1);
  deque->own_tops += mine;
  store_relaxed(&deque->bottom, position + 1);
  return mine;
}

/* Anybody: the oldest position, which is not the caller's yet, or DEQUE_NONE.  */
static inline int64_t ghcomp_deque_oldest(struct deque *deque)
{
  int64_t top = load_seq_cst(&deque->top);
  return top < load_seq_cst(&deque->bottom) ? top : DEQUE_NONE; /* pairs with _offer and _claim_youngest */
}

/* Anybody: takes the oldest, whose element has been read.  False: somebody else was faster.  */
static inline bool ghcomp_deque_claim_oldest(struct deque *deque, int64_t position)
{
  return cas_seq_cst(&deque->top, &position, position + 1);
}

/* ------------------------------------------------------------ tasks of OpenMP */

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

/* ----------------------------------------------------------- priority queues */

/* Ready tasks of a team that stand in no deque: those with a priority, the highest
   first, and those that nobody's deque may have.

   One queue for each priority, in the order in which the tasks came; empty ones go.  */

/* Cost: a lock, and a step for each higher priority that has tasks.  */
void ghcomp_priority_put(struct team *team, struct task *task);

/* The first that passes `accept` (NULL: any); NULL: none.
   Cost: one load when there is none.  */
struct task *ghcomp_priority_take(struct team *team, bool (*accept)(struct task *, struct task *),
                                  struct task *argument);

/* --------------------------------------------------------------- ready tasks */

/* The ready tasks of a team: where they are put and where they are found.  Spec: 5.2,
   12.9.

   A ready task is in the deque of the member that made it ready or, with a priority,
   in a queue of the team's.  `hint` of the team says to those that spin
   whether it is worth a look; those that sleep are woken.

   A thread that waits in a task may execute that task's descendants only (5.2, 12.9), and
   a deque has two ends.  So nobody puts a task where it hides others:

   Invariant: the tasks in a deque were put there, oldest first, by its owner's tasks, the
   outermost first; each task below another one in the owner's deque descends from a
   task that the other's creator interrupted, or from an older one.  Hence a waiting
   owner finds its youngest own descendant at the bottom.  A task that becomes ready by
   somebody else's act (an event) goes to the queues.  At the top of a deque of another
   thread, which may be busy for long, others may hide a descendant: who finds nothing
   elsewhere uncovers it before it sleeps.  */

/* A task becomes ready because the calling thread, of its team, has created it or has
   executed its last predecessor.  */
void ghcomp_ready_put(struct thread *self, struct task *task);

/* The same for a task that has nothing to do with what the calling thread executes, which
   may be of another team.  */
void ghcomp_ready_put_aside(struct thread *self, struct task *task);

struct found {
  struct task *task; /* or NULL */
  bool stolen;
};

/* Takes a task that may run here: any (ancestor NULL), or a descendant of it.  */
struct found ghcomp_ready_find(struct thread *self, struct task *ancestor);

/* Before a sleep: a descendant of the current task that ghcomp_ready_find did not see
   behind others.  Cost: all ready tasks of the team are looked at.  */
struct found ghcomp_ready_uncover(struct thread *self);

/* Any was looked for and none found: whoever spins need not look.  */
void ghcomp_ready_note_none(struct thread *self);

#endif
