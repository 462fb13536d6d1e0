/* The queue of those that spin for a lock: only the first of them looks at the lock.  See lock.md, The queue.  Only lock.c uses
   this; it is inlined there.

   The queue says who looks, and nothing else: the lock's own word decides who gets the lock.  So a thread may leave the queue at
   any time, and all accesses are relaxed: hints, which order nothing.  */
#ifndef GHCOMP_WAIT_LOCK_QUEUE_H
#define GHCOMP_WAIT_LOCK_QUEUE_H

#include "wait/lock.h"
#include "wait/waiter.h"

/* LOCK_QUEUES: 4 KB.  Of eight locks that are fought for at a time, two share a queue in a third of all programs; then the threads of
   one spin without a queue.  LOCK_TICKETS: a descriptor begins at a cache line, so a ticket fits into the low bits of its address.  */
enum { LOCK_QUEUE_BITS = 6, LOCK_QUEUES = 1 << LOCK_QUEUE_BITS, LOCK_TICKETS = CACHELINE - 1 };

/* The thread that has come last | its ticket; 0: none has.  It stays there when that thread has left.  */
struct lock_queue {
  CACHE_ALIGNED _Atomic uintptr_t last;
};

/* A thread's place: behind `ahead`, as long as that one has this ticket.  NULL: it is the first.  */
struct lock_place {
  const struct waiter *ahead;
  unsigned ticket;
};

/* The factor is 2^64 / 1.618…, which spreads addresses at any distance (Knuth 1973, 6.4).  */
static inline struct lock_queue *ghcomp_lock_queue_of(struct lock_queue *queues, const lock_word *lock)
{
  return &queues[(uint64_t)(uintptr_t)lock * 0x9e3779b97f4a7c15u >> (64 - LOCK_QUEUE_BITS)];
}

static inline void ghcomp_lock_queue_leave(struct waiter *self)
{
  store_relaxed(&self->lock_ticket, 0);
}

/* The calling thread comes last.  If it has stood in a queue already, it leaves its place there.  False: the thread ahead waits
   for another lock, so it does not say when this thread should look; the thread stands in no queue then.  */
static inline bool ghcomp_lock_queue_enter(struct lock_queue *queue, struct waiter *self, const lock_word *lock, struct lock_place *place)
{
  unsigned own = self->lock_tickets % LOCK_TICKETS + 1;
  self->lock_tickets = own;
  store_relaxed(&self->lock_awaited, lock);
  store_relaxed(&self->lock_ticket, own);
  uintptr_t last = swap_relaxed(&queue->last, (uintptr_t)self | own);
  place->ticket = last % CACHELINE;
  place->ahead = (const struct waiter *)(last - place->ticket);
  if (place->ahead == self)
    place->ahead = NULL;
  if (place->ahead == NULL || load_relaxed(&place->ahead->lock_ticket) != place->ticket || load_relaxed(&place->ahead->lock_awaited) == lock)
    return true;
  ghcomp_lock_queue_leave(self);
  return false;
}

static inline bool ghcomp_lock_queue_is_first(struct lock_place *place)
{
  if (place->ahead != NULL && load_relaxed(&place->ahead->lock_ticket) != place->ticket)
    place->ahead = NULL;
  return place->ahead == NULL;
}

#endif
