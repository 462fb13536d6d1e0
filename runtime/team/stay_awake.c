/* See stay_awake.h.  Only the worker itself reads and writes its `awake`.  */
#include "team/stay_awake.h"

#include "machine/clock.h"
#include "machine/thread.h"
#include "wait/parking.h"

/* Between two looks; and for each worker that a team holds, because each look takes a lock of the master's processor.  */
#define LOOK_NS 50000u
#define LOOK_MORE_NS 5000u

/* The master's region is not over, and has tasks.  Whoever makes a task wakes a worker for it.  */
static bool may_be_woken_for_tasks(const struct thread *self)
{
  const struct team *team = self->dock.team;
  return team != NULL && load_relaxed(&team->any_deferred);
}

static bool is_allowed(const struct thread *self)
{
  return !may_be_woken_for_tasks(self) && ghcomp_patience_is_allowed();
}

/* 0: the master is not known, or has ended.  */
static uint64_t master_computed(const struct thread *self)
{
  const struct thread *master = self->awake.master;
  int kernel_thread = master != NULL ? load_relaxed(&master->kernel_thread) : 0;
  return kernel_thread != 0 ? ghcomp_machine_thread_computed(kernel_thread) : 0;
}

/* For half of the time at least since the last look, whose values it replaces.  */
static bool master_computes(struct thread *self, uint64_t now)
{
  struct thread_awake *awake = &self->awake, last = *awake;
  awake->looked = now;
  awake->computed = master_computed(self);
  return awake->computed > last.computed && awake->computed - last.computed >= (now - last.looked) / 2;
}

static void begin(struct thread *self, uint64_t now)
{
  self->awake.patience.since = self->awake.looked = now;
  self->awake.computed = master_computed(self);
}

/* The first look has nothing to compare with.  */
bool ghcomp_stay_awake_slowly(struct thread *self)
{
  struct patience *patience = &self->awake.patience;
  if (!is_allowed(self))
    return false;
  uint64_t now = clock_ns();
  if (patience->since == 0) {
    begin(self, now);
    return true;
  }
  return !ghcomp_patience_is_over(patience, now) && master_computes(self, now) &&
         !ghcomp_patience_is_asked_for_processor(patience, &self->waiter);
}

uint32_t ghcomp_stay_awake_ns(void)
{
  return LOOK_NS + LOOK_MORE_NS * ghcomp_parking_crowd_size();
}

void ghcomp_stay_awake_before_sleep(struct thread *self)
{
  if (self->awake.patience.since == 0 && is_allowed(self))
    begin(self, clock_ns());
}

void ghcomp_stay_awake_learn_slowly(struct thread *self)
{
  uint64_t now = clock_ns();
  bool pays = !ghcomp_patience_is_over(&self->awake.patience, now) && master_computes(self, now);
  ghcomp_patience_learn(&self->awake.patience, pays);
}
