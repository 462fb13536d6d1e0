#include "team/team_wait.h"

#include "machine/processors.h"
#include "wait/parking.h"

/* A worker moves after 1, 2, 4… looks in a row that found too many threads.  So moves become rare
   where the other processors are busy with something else.  */
enum { SPREAD_EVERY = 16, RAREST = 1 << 16 };
/* For a larger team the look would cost more than the bad place.  */
enum { LARGEST = 8 };

static unsigned fair_share(const struct team *team)
{
  if (!ghcomp_parking_is_crowded())
    return 1;
  return (team->size - 1) / ghcomp_machine_processors() + 1;
}

static unsigned threads_on(const struct team *team, int processor)
{
  unsigned count = 0;
  for (unsigned i = 0; i < team->size; i++) {
    const struct thread *thread = team->members[i].thread;
    count += thread != NULL && load_relaxed(&thread->waiter.processor) == processor;
  }
  return count;
}

/* Whoever changes a worker's mask has set its `kept_off` from 0 to MASK_CHANGES, or is the worker and gives back what the
   mask lacks.  So two threads never change it at the same time.  */
enum { MASK_CHANGES = -1 };

static bool begin_change(struct thread *worker)
{
  int nothing = 0;
  return cas_acquire(&worker->mail.kept_off, &nothing, MASK_CHANGES); /* pairs with end_change */
}

/* `lacks`: 1 + the processor that the mask lacks from now on, or 0.  */
static void end_change(struct thread *worker, int lacks)
{
  store_release(&worker->mail.kept_off, lacks);
}

static void move(struct thread *self, int here)
{
  if (!begin_change(self))
    return;
  ghcomp_machine_leave_processor(here);
  end_change(self, 0);
  ghcomp_spread_publish(self);
}

void ghcomp_spread_suspect(struct thread *self, const struct team *team)
{
  if (++self->spread.suspicions % SPREAD_EVERY != 0)
    return;
  int here = ghcomp_spread_publish(self);
  if (!self->is_worker || self->place_bound != 0 || threads_on(team, here) <= fair_share(team)) {
    self->spread.too_many_in_a_row = 0;
    return;
  }
  unsigned looks = ++self->spread.too_many_in_a_row;
  if ((looks & (looks - 1)) == 0)
    move(self, here);
  if (looks == RAREST)
    self->spread.too_many_in_a_row = 0;
}

bool ghcomp_spread_keep_one_off(struct thread *worker, int processor)
{
  int kernel_thread = load_relaxed(&worker->computing_thread);
  if (kernel_thread <= 0 || worker->place_bound != 0 || !begin_change(worker))
    return false;
  bool changed = ghcomp_machine_keep_off(kernel_thread, processor);
  end_change(worker, changed ? processor + 1 : 0);
  return changed;
}

static bool is_beside_worker(const struct team *team, int here)
{
  for (unsigned i = 1; i < team->size; i++)
    if (load_relaxed(&team->members[i].thread->waiter.processor) == here)
      return true;
  return false;
}

/* True a few times in a row, and then more and more rarely: perhaps no better place is free.  */
static bool is_worth_it(struct thread *self)
{
  unsigned times = ++self->spread.too_many_in_a_row;
  return times <= SPREAD_IN_A_ROW || (times & (times - 1)) == 0;
}

void ghcomp_spread_keep_off(struct thread *self, struct team *team)
{
  int here = load_relaxed(&self->waiter.processor);
  bool woke = self->turn.just_waited; /* on another processor, perhaps */
  self->turn.just_waited = false;
  if (!ghcomp_team_has_processors(team) || team->size > LARGEST)
    return;
  if (ghcomp_parking_is_crowded() && !woke)
    return; /* every processor has a thread */
  if (!is_beside_worker(team, here)) {
    store_relaxed(&team->worker_on_master_processor, false);
    self->spread.too_many_in_a_row = 0;
    return;
  }
  if (!is_worth_it(self) && !woke)
    return;
  for (unsigned i = 1; i < team->size; i++)
    if (load_relaxed(&team->members[i].thread->waiter.processor) == here)
      ghcomp_spread_keep_one_off(team->members[i].thread, here);
}

uint64_t ghcomp_spread_processors(const struct team *team)
{
  uint64_t processors = 0;
  if (!ghcomp_team_has_processors(team) || team->size > LARGEST)
    return 0;
  for (unsigned i = 1; i < team->size; i++) {
    int processor = load_relaxed(&team->members[i].thread->waiter.processor);
    if (processor >= 0 && processor < 64)
      processors |= UINT64_C(1) << processor;
  }
  int here = ghcomp_machine_here();
  return here >= 0 && here < 64 ? processors & ~(UINT64_C(1) << here) : 0;
}

/* If its master keeps it off at this moment, it stays so until it has served once more.  */
void ghcomp_spread_let_on_slowly(struct thread *worker)
{
  int lacks = load_acquire(&worker->mail.kept_off); /* pairs with end_change */
  if (lacks == MASK_CHANGES)
    return;
  ghcomp_machine_let_on(lacks - 1);
  end_change(worker, 0);
}
