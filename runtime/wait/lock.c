/* The slow halves of locks: spin a little, in a queue if each thread has a processor, then sleep on the lock word.  See lock.md.

   Invariant: a thread sleeps only on the value CONTENDED, and a thread that frees a CONTENDED lock
   wakes one sleeper.  A thread that has slept takes the lock as CONTENDED, because there may be
   more sleepers.  Until then it is awake, or has made the lock CONTENDED again.  Models:
   test/model/lock.pml, lock_queue.pml, test/weak/models/lock.c, lock_spin.c, lock_queue.c, nest_lock.c, nest_lock_25.c.  */
#include "wait/lock.h"

#include "base/cycles.h"
#include "base/message.h"
#include "machine/thread.h"
#include "wait/line_cost.h"
#include "wait/lock_queue.h"
#include "wait/parking.h"

/* QUEUE_LOOKS: more than fit into the time that a thread spins by default.  So they matter only to threads that spin for longer:
   the one ahead may have lost its processor for some milliseconds.  */
enum { BRIEF_PAUSES = 32, QUEUE_LOOKS = 4096 };

static struct lock_queue queues[LOCK_QUEUES];

/* The linker's names for the section's bounds.  */
extern struct own_lock __start_ghcomp_locks[] __attribute__((weak, visibility("hidden")));
extern struct own_lock __stop_ghcomp_locks[] __attribute__((weak, visibility("hidden")));

void ghcomp_lock_after_fork(void)
{
  for (struct own_lock *lock = __start_ghcomp_locks; lock != __stop_ghcomp_locks; lock++)
    store_relaxed(&lock->word, LOCK_FREE);
  for (unsigned i = 0; i < LOCK_QUEUES; i++)
    store_relaxed(&queues[i].last, 0);
}

static bool take(lock_word *lock, uint32_t how)
{
  uint32_t expected = LOCK_FREE;
  return load_relaxed(lock) == LOCK_FREE && cas_acquire(lock, &expected, how); /* pairs with release */
}

/* Some looks before the first yield, because a yield costs more than most critical sections.  */
static bool spin_briefly(lock_word *lock, uint32_t how, unsigned longest)
{
  for (unsigned spent = 0, pauses = 2; spent < BRIEF_PAUSES; spent += pauses) {
    if (take(lock, how))
      return true;
    for (unsigned i = 0; i < pauses; i++)
      cpu_relax();
    pauses = pauses < longest ? pauses * 2 : longest;
  }
  return false;
}

/* Nobody but the first of the queue looks, and threads that have just come.  So its look is the attempt itself: a load before it
   would fetch the line twice.  */
static bool spin_in_queue(lock_word *lock, uint32_t how, struct spin *w)
{
  struct lock_queue *queue = ghcomp_lock_queue_of(queues, lock);
  struct lock_place place;
  bool stands = ghcomp_lock_queue_enter(queue, w->self, lock, &place), taken = false;
  unsigned looks = 0;
  while (stands && !taken && ghcomp_parking_spin(w)) {
    uint32_t expected = LOCK_FREE;
    if (ghcomp_lock_queue_is_first(&place))
      taken = cas_acquire(lock, &expected, how); /* pairs with ghcomp_lock_release */
    else if (++looks % QUEUE_LOOKS == 0)
      stands = ghcomp_lock_queue_enter(queue, w->self, lock, &place);
  }
  ghcomp_lock_queue_leave(w->self);
  return taken;
}

/* All look.  The looks become rare: each takes the line from the holder, which can otherwise enter
   again and again without a transfer.  */
static bool spin_without_queue(lock_word *lock, uint32_t how, struct spin *w)
{
  unsigned longest = 2 * ghcomp_look_pauses(w->self);
  if (w->crowded && spin_briefly(lock, how, longest))
    return true;
  while (ghcomp_parking_spin(w)) {
    if (take(lock, how))
      return true;
    w->pauses_per_look = w->pauses_per_look < longest ? w->pauses_per_look * 2 : longest;
  }
  return false;
}

/* In a queue a thread waits for another one to look, which needs a processor for that.  So only threads of teams stand there,
   because they are counted, and only while there is a processor for each.  */
static bool may_queue(const struct spin *w)
{
  return w->crew != NULL && !w->crowded && !w->shares_processor && ghcomp_crew_kind->size(w->crew) > 1;
}

/* Spins while the holder may be about to leave.  True: the calling thread holds the lock now, as
   `how`.  */
static bool spin_for(lock_word *lock, uint32_t how)
{
  struct waiter *self = ghcomp_waiter_self;
  const struct crew *crew = self != NULL ? ghcomp_crew_kind->of(self) : NULL;
  struct spin w = ghcomp_parking_begin(self, crew);
  w.has_processors = crew != NULL && ghcomp_crew_kind->has_processors(crew);
  return may_queue(&w) ? spin_in_queue(lock, how, &w) : spin_without_queue(lock, how, &w);
}

static void wait_for_lock(lock_word *lock)
{
  uint32_t how = LOCK_HELD;
  while (!spin_for(lock, how) && swap_acquire(lock, LOCK_CONTENDED) != LOCK_FREE) { /* pairs with
                                                                                       release */
    ghcomp_park_wait(lock, LOCK_CONTENDED);
    how = LOCK_CONTENDED;
  }
}

void ghcomp_lock_acquire_slow(lock_word *lock)
{
  struct waiter *self = ghcomp_waiter_self;
  uint64_t began = cycles_now();
  wait_for_lock(lock);
  if (self == NULL)
    return;
  ghcomp_count(&self->counters, STAT_LOCK_WAITS);
  ghcomp_count_more(&self->counters, STAT_LOCK_WAIT_NS, cycles_now() - began);
}

/* Where a filter of system calls has come that refuses that, threads would sleep for ever.  */
void ghcomp_lock_wake(lock_word *lock)
{
  if (unlikely(!ghcomp_park_wake(lock, 1)))
    ghcomp_message_fatal("a filter of system calls refuses futex, so no thread can be woken; the program ends here");
}

int ghcomp_lock_nest_acquire(struct nest_lock *lock, void *task)
{
  if (load_relaxed(&lock->owner) != task) {
    ghcomp_lock_acquire(&lock->lock);
    store_relaxed(&lock->owner, task);
    lock->count = 0;
  }
  return ++lock->count;
}

int ghcomp_lock_nest_try(struct nest_lock *lock, void *task)
{
  if (load_relaxed(&lock->owner) != task) {
    if (!ghcomp_lock_try(&lock->lock))
      return 0;
    store_relaxed(&lock->owner, task);
    lock->count = 0;
  }
  return ++lock->count;
}

void ghcomp_lock_nest_release(struct nest_lock *lock)
{
  if (--lock->count == 0) {
    store_relaxed(&lock->owner, NULL);
    ghcomp_lock_release(&lock->lock);
  }
}

static uint32_t kernel_thread(void)
{
  return (uint32_t)ghcomp_machine_thread() + 1;
}

/* Here the owner word is the lock, so a thread sleeps until the owner changes.  Only binaries from
   before 2008 use these locks.  */
int ghcomp_lock_nest25_try(struct nest_lock_25 *lock)
{
  uint32_t me = kernel_thread(), expected = 0;
  if (cas_acquire(&lock->owner, &expected, me)) /* pairs with nest25_release */
    lock->count = 1;
  else if (expected == me)
    lock->count++;
  else
    return 0;
  return lock->count;
}

int ghcomp_lock_nest25_acquire(struct nest_lock_25 *lock)
{
  int count;
  while ((count = ghcomp_lock_nest25_try(lock)) == 0) {
    uint32_t owner = load_relaxed(&lock->owner);
    if (owner != 0)
      ghcomp_park_wait(&lock->owner, owner);
  }
  return count;
}

void ghcomp_lock_nest25_release(struct nest_lock_25 *lock)
{
  if (--lock->count == 0) {
    store_release(&lock->owner, 0); /* pairs with nest25_try */
    ghcomp_lock_wake(&lock->owner);
  }
}
