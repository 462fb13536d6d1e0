/* Threads that ask, with the code of admission/ and stand-ins for the system.  One library, which was seen to have a lock,
   and one place in the program that asks for it.

   A thread that waits for its turn sleeps without a time-out here, so a lost wake-up is a thread that waits for ever.  The
   time stands still for each thread, but for one that looks: its time leaps, and so does the time that the holder has
   computed, so each of its looks is due, and the second one that finds the holder as it was takes the turn.  */
#ifndef WEAK_TURNS_H
#define WEAK_TURNS_H

#include "base/cycles.h"
#include "wait/parking.h"

#define cycles_now() time_of_caller()
#define ghcomp_parking_sleep_for(waiter, nanoseconds) ghcomp_parking_sleep(waiter)
static uint64_t time_of_caller(void);
#include "admission/turn.c"
#include "admission/library.c"
#include "admission/queue.c"
#include "admission/turn_wait.c"
#include "made_team.h"
#include "simple_lock.h"

#define LEAP 1000000000u
#define SERIES_IS_OVER (2 * SERIES_NS)
#define MANY 1000 /* threads of a region: more than processors */

static const char place, body;  /* their addresses are the caller, and what the regions run */
static struct library *library;
static struct site *site;
static struct {                 /* the calling thread's */
  uint64_t time;
  bool leaps;                   /* each look is due */
} own;
static int inside;              /* plain, so that two holders at a time are a data race */

static uint64_t time_of_caller(void)
{
  return own.time += own.leaps ? LEAP : 0;
}

uint64_t ghcomp_machine_thread_computed(int number)
{
  (void)number;
  return own.time;
}

bool ghcomp_machine_thread_runs(int number)
{
  (void)number;
  return true;
}

unsigned ghcomp_icv_default_threads(void)
{
  return 2;
}

/* All but the leaping time of one thread is the same in each of them.  */
static void make_askers(unsigned count)
{
  make_members(count);
  weak_thread_local(&own, sizeof own);
  ghcomp_turn_count_masters((int)count);
  library = ghcomp_library_of(&body);
  site = ghcomp_site_of(&place);
  site->library = library;
  site->regions = 1;
  ghcomp_library_saw_lock(library);
  weak_assert(library->lock == LOCK_SEEN);
}

static __attribute__((unused)) struct thread *be_at(unsigned number, uint64_t time)
{
  own.time = time;
  return be(number);
}

/* Thread 0 has the turn, and the next ones wait, in their order.  */
static __attribute__((unused)) void make_queue(unsigned waiting)
{
  ghcomp_turns_give(thread[0], library);
  thread[0]->turn.site = thread[0]->turn.at = site;
  for (unsigned i = 1; i <= waiting; i++) {
    thread[i]->turn.site = thread[i]->turn.at = site;
    weak_assert(ghcomp_turns_append(thread[i], library) == i - 1);
  }
}

/* What queue.h promises, as the calling thread sees it.  Of others it looks only at those that have the turn or wait: a
   thread that ends writes its state without the lock.  */
static void check_queue(const struct thread *self)
{
  unsigned waiting = 0;
  ghcomp_turns_lock();
  weak_assert(has_turn(&self->turn) == (library->holder == self));
  weak_assert(library->holder == NULL || has_turn(&library->holder->turn));
  for (const struct thread *t = library->first; t != NULL; t = t->turn.next) {
    weak_assert(load_relaxed_at(0, &t->turn.state) == TURN_WAITS && t->turn.of == library);
    waiting++;
  }
  weak_assert(waiting == library->waiting && (waiting == 0 || library->holder != NULL));
  ghcomp_turns_unlock(NULL);
}

/* Like a library that holds a lock: requires the turn.  */
static __attribute__((unused)) void compute_alone(const struct thread *self)
{
  weak_assert(has_turn(&self->turn));
  weak_assert(inside++ == 0);
  inside--;
}

static __attribute__((unused)) void expect_nobody_left(void)
{
  weak_assert(library->holder == NULL && library->first == NULL && library->waiting == 0 && library->running == 0);
}

#endif
