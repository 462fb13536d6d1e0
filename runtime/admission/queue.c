/* The processors that are taken, and the threads that wait.  See admission.md.

   Invariants: `taken` is the sum of the threads that the running regions were given.  A thread is
   in the queue while its `turn.threads` is WAITING; the thread that takes it out writes how many
   threads it has.  Regions begin in order of arrival, except those that begin without a turn.  */
#include "admission/queue.h"

#include "admission/admission.h"
#include "base/stats.h"
#include "settings/icv.h"
#include "state/thread.h"
#include "threads/substrate.h"
#include "wait/lock.h"
#include "wait/parking.h"

#include <string.h>

/* After the first thread in the queue had to begin without a turn, this many regions begin at once.
   Each further time it is OPEN_FACTOR times as many.  */
#define OPEN_FIRST 64u
enum { OPEN_FACTOR = 4 };
#define OPEN_MOST 65536u

OWN_LOCK(lock);

/* Written under the lock.  Atomic fields are also read without it.  */
static struct {
  _Atomic unsigned taken;
  unsigned waiting;
  _Atomic(struct thread *) first;
  struct thread *last;
  unsigned beside_haskell; /* regions of one thread that run beside Haskell threads, not in `taken` */
  unsigned open;      /* this many regions begin at once */
  unsigned open_next; /* and this many the next time; 0: OPEN_FIRST */
} queue;

_Atomic unsigned ghcomp_admission_starting;

void ghcomp_admission_queue_lock(void)
{
  ghcomp_lock_acquire(&lock.word);
}

void ghcomp_admission_queue_unlock(void)
{
  ghcomp_lock_release(&lock.word);
}

unsigned ghcomp_admission_queue_taken(void)
{
  return load_relaxed(&queue.taken);
}

bool ghcomp_admission_queue_is_used(void)
{
  return load_relaxed(&queue.taken) + queue.beside_haskell != 0;
}

unsigned ghcomp_admission_queue_length(void)
{
  return queue.waiting;
}

struct thread *ghcomp_admission_queue_first(void)
{
  return load_relaxed(&queue.first);
}

bool ghcomp_admission_queue_is_open(void)
{
  return queue.open != 0;
}

/* ------------------------------------------------------------------------ room */

static unsigned least(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Haskell threads that compute keep their processors, but at most half of all.  So if regions and
   Haskell threads both have enough work for all processors, each side gets half.  */
static unsigned free_processors(void)
{
  unsigned processors = ghcomp_icv_default_threads();
  unsigned busy = least(ghcomp_substrate_host_busy(), processors / 2);
  unsigned used = busy + load_relaxed(&queue.taken);
  return processors > used ? processors - used : 0;
}

unsigned ghcomp_admission_queue_available(void)
{
  unsigned free = free_processors();
  return free != 0 ? free : 1;
}

/* Threads for the first region in the queue, or a region that finds no queue; 0: it has to wait.
   Regions that have waited run one after another on most of the processors, and not beside each
   other on few.  The reason: when one of two processors becomes free, the system often puts the
   thread that is woken for it behind the thread on the other processor.
   Requires: lock.  */
static unsigned grant(unsigned wanted, bool exact, bool waited)
{
  unsigned taken = load_relaxed(&queue.taken);
  if (queue.open != 0 || taken == 0) {
    queue.open -= queue.open != 0;
    return exact ? wanted : least(ghcomp_admission_queue_available(), wanted);
  }
  if (exact)
    return taken + wanted <= ghcomp_icv_default_threads() ? wanted : 0;
  unsigned free = free_processors();
  bool enough = free >= wanted || (waited ? free > taken : free != 0);
  return enough ? least(free, wanted) : 0;
}

void ghcomp_admission_queue_take(struct thread *master, unsigned threads)
{
  store_relaxed(&queue.taken, load_relaxed(&queue.taken) + threads);
  store_relaxed(&master->computing_thread, load_relaxed(&master->kernel_thread));
}

/* Requires: lock.  */
static void take_less(unsigned threads)
{
  store_relaxed(&queue.taken, load_relaxed(&queue.taken) - threads);
}

void ghcomp_admission_queue_put_back(struct thread *master, unsigned threads)
{
  if (master->turn.beside_haskell)
    queue.beside_haskell--;
  else
    take_less(threads);
  master->turn.beside_haskell = false;
  store_relaxed(&master->computing_thread, 0);
}

void ghcomp_admission_queue_reduce(unsigned threads)
{
  ghcomp_lock_acquire(&lock.word);
  take_less(threads);
  ghcomp_lock_release(&lock.word);
}

/* ----------------------------------------------------------------------- order */

/* Requires: lock.  */
static void append(struct thread *self)
{
  self->turn.next_waiting = NULL;
  if (queue.last != NULL)
    queue.last->turn.next_waiting = self;
  else
    store_relaxed(&queue.first, self);
  queue.last = self;
  queue.waiting++;
}

/* Requires: lock.  */
static void withdraw_first(void)
{
  struct thread *next = load_relaxed(&queue.first)->turn.next_waiting;
  if (next == NULL)
    queue.last = NULL;
  store_relaxed(&queue.first, next);
  queue.waiting--;
}

bool ghcomp_admission_queue_begin_beside_haskell(struct thread *self)
{
  unsigned running = queue.beside_haskell + load_relaxed(&queue.taken);
  if (running >= ghcomp_icv_default_threads() || ghcomp_substrate_host_busy() == 0)
    return false;
  queue.beside_haskell++;
  self->turn.beside_haskell = true;
  store_relaxed(&self->computing_thread, load_relaxed(&self->kernel_thread));
  return true;
}

unsigned ghcomp_admission_queue_arrive(struct thread *self, unsigned wanted, bool exact, bool in_question)
{
  unsigned threads = queue.waiting == 0 ? grant(wanted, exact, false) : 0;
  if (threads != 0) {
    ghcomp_admission_queue_take(self, threads);
    return threads;
  }
  if (!exact && queue.waiting == 0 && ghcomp_admission_queue_begin_beside_haskell(self))
    return 1;
  self->turn.wants = wanted;
  self->turn.wants_exactly = exact;
  self->turn.in_question = in_question;
  store_relaxed(&self->turn.threads, WAITING);
  append(self);
  return 0;
}

/* Lets the first region in the queue begin, if there is room.  Returns the thread to wake, or NULL.  `workers`: as in
   ghcomp_admission_queue_let_in_beside.
   Requires: lock.  */
static struct thread *next_turn(uint64_t workers)
{
  struct thread *first = load_relaxed(&queue.first);
  unsigned threads = first != NULL ? grant(first->turn.wants, first->turn.wants_exactly, true) : 0;
  if (threads == 0)
    return NULL;
  withdraw_first();
  ghcomp_admission_queue_take(first, threads);
  ghcomp_admission_series_expect(first);
  if (queue.open == 0)
    queue.open_next -= queue.open_next > OPEN_FIRST;
  add_relaxed(&ghcomp_admission_starting, 1);
  ghcomp_admission_handover_prepare(first, workers, queue.waiting);
  swap_seq_cst(&first->turn.threads, threads); /* pairs with the loads in ghcomp_admission_wait */
  return first;
}

void ghcomp_admission_queue_let_in(void)
{
  ghcomp_admission_queue_let_in_beside(0);
}

void ghcomp_admission_queue_let_in_beside(uint64_t workers)
{
  struct thread *next;
  do {
    ghcomp_lock_acquire(&lock.word);
    next = next_turn(workers);
    ghcomp_lock_release(&lock.word);
    if (next != NULL)
      ghcomp_parking_wake(&next->waiter);
  } while (next != NULL);
}

/* ------------------------------------------------------------------------ open */

/* Threads that wait in a question would then spin for a library's lock, so only one of them
   begins.  */
void ghcomp_admission_queue_open_past_blocked(void)
{
  if (load_relaxed(&queue.first)->turn.in_question) {
    queue.open = 1;
    return;
  }
  queue.open = queue.open_next != 0 ? queue.open_next : OPEN_FIRST;
  queue.open_next = queue.open < OPEN_MOST ? queue.open * OPEN_FACTOR : OPEN_MOST;
}

void ghcomp_admission_queue_open_past_slow(void)
{
  queue.open = 1;
}

void ghcomp_admission_queue_after_fork(void)
{
  for (struct thread *t = ghcomp_thread_first(); t != NULL; t = ghcomp_thread_next(t))
    store_relaxed(&t->computing_thread, 0);
  memset(&queue, 0, sizeof queue);
  store_relaxed(&ghcomp_admission_starting, 0);
}
