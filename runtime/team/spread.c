#include "team/team_wait.h"

#include "admission/admission.h"
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

/* More threads compute than there are processors, masters between their regions among them.  A worker then does its part
   where its master waits for it.  On another processor it would wait for the thread there, and its master for both, while
   this processor has nothing to do.  */
static bool may_share_processor(void)
{
  return ghcomp_admission_masters_compute() && ghcomp_parking_is_crowded();
}

void ghcomp_spread_suspect(struct thread *self, const struct team *team)
{
  if (++self->spread.suspicions % SPREAD_EVERY != 0 || may_share_processor())
    return;
  int here = ghcomp_spread_publish(self);
  if (!self->is_worker || self->place_bound != 0 || threads_on(team, here) <= fair_share(team)) {
    self->spread.too_many_in_a_row = 0;
    return;
  }
  unsigned looks = ++self->spread.too_many_in_a_row;
  if ((looks & (looks - 1)) == 0) {
    ghcomp_machine_leave_processor(here);
    ghcomp_spread_publish(self);
  }
  if (looks == RAREST)
    self->spread.too_many_in_a_row = 0;
}

/* The thread that changes `kept_off` from 0 changes the mask.  The worker sets `kept_off` back to 0
   when the mask is whole again.  So two threads never change the mask at the same time.  */
static void keep_off(struct thread *worker, int processor)
{
  int kernel_thread = load_relaxed(&worker->computing_thread), nothing = 0;
  if (kernel_thread <= 0 || worker->place_bound != 0)
    return;
  if (!cas_acquire(&worker->mail.kept_off, &nothing, processor + 1))
    return;
  if (!ghcomp_machine_keep_off(kernel_thread, processor))
    store_relaxed(&worker->mail.kept_off, 0);
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
      keep_off(team->members[i].thread, here);
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

void ghcomp_spread_let_on_slowly(struct thread *worker)
{
  ghcomp_machine_let_on(load_relaxed(&worker->mail.kept_off) - 1);
  store_release(&worker->mail.kept_off, 0); /* pairs with the cas in keep_off */
}
