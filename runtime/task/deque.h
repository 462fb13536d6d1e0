/* The work-stealing deque: its owner pushes and takes at the bottom, other threads steal at the
   top.  See deque.md.  Source: Chase and Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005;
   memory orders after Lê, Pop, Cohen and Zappa Nardelli, "Correct and Efficient Work-Stealing for
   Weak Memory Models", PPoPP 2013, with sequentially consistent read-modify-writes in place of its
   fences.  */
#ifndef GHCOMP_TASK_DEQUE_H
#define GHCOMP_TASK_DEQUE_H

#include "base/atomics.h"
#include "state/task.h"

/* ----------------------------------------------------------------- positions */

/* The protocol by itself: a deque gives away positions; its user knows which elements are at them.
   Tasks of OpenMP are in `array` (below).  Closures of Haskell move in a garbage collection, so
   they are in Haskell arrays (cbits/Task.c), and `array` is NULL.  */

enum { DEQUE_NONE = -1 };

/* A thief takes a batch, that part of what it sees and at most so many, from a deque that holds at least so many.  Simulated tasks of
   10 µs and of 1 µs that one of 64 threads creates take 22 and 16 µs, a task of each; with 8 and 16 22 and 17; one by one 33 and 32.  */
enum { BATCH_MOST = 4, BATCH_FROM = 8, BATCH_PART = 4, BATCH_LOST = -1 };

/* The oldest position is the low half of `top`, which grows by one with each position that is taken there.  When the owner may meet a
   thief that takes a batch, it adds TOP_CHANGE, and that thief fails.  */
#define TOP_CHANGE ((uint64_t)1 << 32)

/* How many positions before this one wait; below 0: it has been taken.  Also how many wait in all, for the bottom.  */
static inline int64_t ghcomp_deque_before(uint64_t top, int64_t position)
{
  return (int32_t)((uint32_t)position - (uint32_t)top);
}

/* Makes the deque empty.
   Called by: the owner, while no other thread looks.  */
static inline void ghcomp_deque_reset(struct deque *deque)
{
  store_relaxed(&deque->top, 0);
  store_relaxed(&deque->bottom, 0);
  deque->own_takes_at_top = 0;
  deque->top_seen = 0;
  deque->batch_possible = false;
}

/* Makes the deque of a thread that a fork has ended empty.
   Called by: a thread that is alone.  */
static inline void ghcomp_deque_forget(struct deque *deque)
{
  store_relaxed(&deque->top, (uint32_t)load_relaxed(&deque->bottom));
}

/* Whether the position, or DEQUE_NONE, may still be in the deque.
   Called by: the owner, for one that it has offered and not taken.  */
static inline bool ghcomp_deque_may_hold(const struct deque *deque, int64_t position)
{
  return position != DEQUE_NONE && ghcomp_deque_before(load_relaxed(&deque->top), position) >= 0;
}

/* How many elements wait.  For each look a thief's line may have to come, so the owner keeps what it has seen.
   Called by: the owner.  */
static inline int64_t ghcomp_deque_look(struct deque *deque)
{
  /* Pairs with ghcomp_deque_claim_oldest: the thief has read the element that will be written over.  */
  uint64_t top = load_acquire(&deque->top);
  int64_t bottom = load_relaxed(&deque->bottom), length = ghcomp_deque_before(top, bottom);
  deque->top_seen = bottom - length;
  return length;
}

/* The same, by the owner's last look.  */
static inline int64_t ghcomp_deque_length_seen(const struct deque *deque)
{
  return load_relaxed(&deque->bottom) - deque->top_seen;
}

/* The position for the next element, which is written before ghcomp_deque_offer; DEQUE_NONE:
   `capacity` elements wait already.
   Called by: the owner.  */
static inline int64_t ghcomp_deque_free_position(struct deque *deque, int64_t capacity)
{
  int64_t bottom = load_relaxed(&deque->bottom);
  return bottom - deque->top_seen < capacity || ghcomp_deque_look(deque) < capacity ? bottom : DEQUE_NONE;
}

/* Offers the element at this position, which has been written.  Ends with a full barrier, so that a
   later look at sleepers misses none.
   Called by: the owner.  */
static inline void ghcomp_deque_offer(struct deque *deque, int64_t position)
{
  swap_seq_cst(&deque->bottom, position + 1); /* pairs with ghcomp_deque_oldest */
}

/* The same, if no sleeping thread needs to know.  */
static inline void ghcomp_deque_offer_quietly(struct deque *deque, int64_t position)
{
  store_release(&deque->bottom, position + 1); /* the same */
}

/* The youngest position, which is not the caller's yet; or DEQUE_NONE.
   Called by: the owner.  */
static inline int64_t ghcomp_deque_youngest(struct deque *deque)
{
  int64_t bottom = load_relaxed(&deque->bottom) - 1;
  return ghcomp_deque_before(load_relaxed(&deque->top), bottom) < 0 ? DEQUE_NONE : bottom;
}

/* A thief that has seen many positions may be about to take a batch, also of those that the owner comes to.  It fails from now on.
   The new top.  */
static inline uint64_t ghcomp_deque_refuse_batch(struct deque *deque)
{
  deque->batch_possible = false;
  /* Pairs with ghcomp_deque_look_oldest: a thief that reads the new top reads no older bottom, which shows too few for a batch.  */
  return add_release(&deque->top, TOP_CHANGE) + TOP_CHANGE;
}

/* Takes the youngest position.  False: a thief was faster.
   Called by: the owner.  */
static inline bool ghcomp_deque_claim_youngest(struct deque *deque, int64_t position)
{
  /* Claims the bottom first, and then looks at the top.  Pairs with ghcomp_deque_look_oldest, which
     reads top before bottom.  */
  swap_seq_cst(&deque->bottom, position);
  uint64_t top = load_seq_cst(&deque->top);
  int64_t before = ghcomp_deque_before(top, position);
  if (before >= BATCH_MOST) { /* no batch reaches this one */
    if (before >= BATCH_FROM - 1)
      deque->batch_possible = true;
    return true;
  }
  if (unlikely(deque->batch_possible)) {
    top = ghcomp_deque_refuse_batch(deque);
    before = ghcomp_deque_before(top, position);
  }
  if (before > 0)
    return true;
  /* Decides between the owner and thieves, which change the same word, and releases `bottom`: a
     thief that reads the new top reads no older bottom.  */
  bool mine = before == 0 && cas_release(&deque->top, &top, top + 1);
  deque->own_takes_at_top += mine;
  store_relaxed(&deque->bottom, position + 1);
  return mine;
}

/* What a thief has seen.  */
struct deque_seen {
  uint64_t top;
  int64_t oldest, length; /* no more than 0: the deque is empty */
};

/* Called by: any thread.  */
static inline struct deque_seen ghcomp_deque_look_oldest(struct deque *deque)
{
  uint64_t top = load_seq_cst(&deque->top);
  int64_t bottom = load_seq_cst(&deque->bottom), length = ghcomp_deque_before(top, bottom); /* pairs with _offer and _claim_youngest */
  return (struct deque_seen){top, bottom - length, length};
}

/* Takes the oldest positions, which the caller has seen, and whose elements it has read: one, or a batch.  False: another thread was
   faster.
   Called by: any thread.  */
static inline bool ghcomp_deque_claim_seen(struct deque *deque, struct deque_seen seen, unsigned batch)
{
  return cas_seq_cst(&deque->top, &seen.top, seen.top + batch);
}

/* The oldest position, which is not the caller's yet; or DEQUE_NONE.
   Called by: any thread.  */
static inline int64_t ghcomp_deque_oldest(struct deque *deque)
{
  struct deque_seen seen = ghcomp_deque_look_oldest(deque);
  return seen.length > 0 ? seen.oldest : DEQUE_NONE;
}

/* Takes the oldest position, whose element has been read.  False: another thread was faster.
   Called by: any thread.  */
static inline bool ghcomp_deque_claim_oldest(struct deque *deque, int64_t position)
{
  uint64_t top = load_relaxed(&deque->top); /* only one position is taken, so a TOP_CHANGE meanwhile does not matter */
  return ghcomp_deque_before(top, position) == 0 && cas_seq_cst(&deque->top, &top, top + 1);
}

/* ------------------------------------------------------------ tasks of OpenMP */

/* Ends with a full barrier, so that a later look at sleepers misses none.
   Called by: the owner.  */
void ghcomp_deque_push(struct deque *deque, struct task *task);

/* Takes the youngest task if `accept` accepts it (NULL: any).
   Called by: the owner.  */
struct task *ghcomp_deque_take(struct deque *deque,
                               bool (*accept)(struct task *, struct task *), struct task *argument);

/* Takes the oldest task, as thieves do.
   Called by: the owner.  */
struct task *ghcomp_deque_take_oldest(struct deque *deque,
                                      bool (*accept)(struct task *, struct task *),
                                      struct task *argument);

/* Takes the oldest task if `accept` accepts it.  `accept` may be called with a task that another
   thread has taken meanwhile; headers stay readable.  NULL: none, or another thief was faster.
   Called by: any thread.  */
struct task *ghcomp_deque_steal(struct deque *deque,
                                bool (*accept)(struct task *, struct task *),
                                struct task *argument);

/* Takes some of the oldest tasks if the deque holds many, else the oldest one.  How many; 0: it is empty; BATCH_LOST: another thread
   was faster.
   Called by: any thread.  */
int ghcomp_deque_steal_batch(struct deque *deque, struct task *batch[BATCH_MOST]);

/* True: `accept` accepts one of the tasks.  The answer may be out of date at once.
   Called by: any thread.
   Cost: a look at each task.  */
bool ghcomp_deque_holds(struct deque *deque, bool (*accept)(struct task *, struct task *),
                        struct task *argument);

/* For any thread; a hint, except for the owner.  */
static inline int64_t ghcomp_deque_length(const struct deque *deque)
{
  return ghcomp_deque_before(load_relaxed(&deque->top), load_relaxed(&deque->bottom));
}

/* How many tasks thieves had taken at the owner's last look.
   Called by: the owner.  */
static inline int64_t ghcomp_deque_stolen(const struct deque *deque)
{
  return deque->top_seen - deque->own_takes_at_top;
}

/* True: it has no task.  A task that was pushed before the look at the bottom, in the order of the
   sequentially consistent operations, is seen or has been taken.
   Called by: any thread.  */
static inline bool ghcomp_deque_is_empty(struct deque *deque)
{
  uint64_t top = load_relaxed(&deque->top);
  return ghcomp_deque_before(top, load_seq_cst(&deque->bottom)) <= 0; /* pairs with push */
}

/* ----------------------------------------------------------- priority queues */

/* Ready tasks of a team that are in no deque: tasks with a priority, the highest first, and tasks
   that may be in no member's deque.

   There is one queue for each priority, in order of arrival.  Empty queues are removed.  */

/* Puts a task into the queue of its priority.
   Cost: a lock, and a step for each higher priority that has tasks.  */
void ghcomp_priority_put(struct team *team, struct task *task);

/* The first task that `accept` accepts (NULL: any); NULL: there is none.
   Cost: one load if there is none.  */
struct task *ghcomp_priority_take(struct team *team, bool (*accept)(struct task *, struct task *),
                                  struct task *argument);

/* --------------------------------------------------------------- ready tasks */

/* The ready tasks of a team: where they are put and found.  Spec: 5.2, 12.9.

   A ready task is in the deque of the member that made it ready or, with a priority, in a queue of
   the team.  The team's `ready_hint` tells spinning threads whether a look is worthwhile.  Sleeping
   threads are woken.

   A thread that waits in a task may execute only descendants of that task (5.2, 12.9), and only the
   ends of a deque can be reached.  So no task may hide others:

   Invariant: the owner's tasks have put the tasks into its deque, those of the outermost task
   first.  So a waiting owner finds its youngest own descendant at the bottom.  A task that becomes
   ready for another reason (an event) goes to the queues.  In another thread's deque, tasks at the
   top may hide a descendant for long.  A thread that finds no task elsewhere uncovers it before it
   sleeps.  */

/* Puts a task that is ready because the calling thread, of the same team, has created it or has
   executed its last predecessor.  */
void ghcomp_ready_put(struct thread *self, struct task *task);

/* The same for a task that has nothing to do with the calling thread's current task.  The thread
   may belong to another team.  */
void ghcomp_ready_put_aside(struct thread *self, struct task *task);

struct found {
  struct task *task; /* or NULL */
  unsigned stolen;   /* with how many others, and itself; the others are in the thread's deque.  0: it was the thread's */
};

/* Takes a task that may be executed here: a descendant of `ancestor`; NULL: any.  To look at all deques takes a large team
   microseconds, so between two of them the thread looks whether that has come what it waits for, and if so finds no task; NULL: it
   looks at all deques.  */
struct found ghcomp_ready_find(struct thread *self, struct task *ancestor, bool (*has_come)(const void *), const void *awaited);

/* Called before a sleep: a descendant of the current task that ghcomp_ready_find did not see behind
   other tasks.
   Cost: a look at all ready tasks of the team.  */
struct found ghcomp_ready_uncover(struct thread *self);

/* The calling thread may have been woken for another task than the one that it has found and will execute, or it leaves its wait without
   one.  Wakes a sleeper for the other one.
   Requires: it has announced a sleep.
   Cost: a swap of its own line, and a load if no task may be ready.  */
void ghcomp_ready_pass_on(struct thread *self);

/* No task was found, so spinning threads need not look.  */
void ghcomp_ready_note_none(struct thread *self);

#endif
