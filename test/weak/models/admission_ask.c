/* A master that asks how many threads it would get has the turn from the question until
   ghcomp_admission_abandon.  The turn lasts beyond the region.  The other master waits, gets its
   turn afterwards, and no wake-up is lost.
   code: wait/parking.c.  */
#include "admission.h"

void weak_setup(void)
{
  set_up_masters();
}

static void compute(struct thread *self, void (*ends)(struct thread *))
{
  struct admitted mine = ghcomp_admission_enter(self, 2, true, false);
  weak_assert(mine.threads == 2 && mine.counted == 2);
  rounds++;
  ends(self);
  ghcomp_admission_leave(self, mine.counted);
}

static void stays_inside(struct thread *self)
{
  (void)self;
}

static void is_alone(struct thread *self)
{
  (void)self;
  weak_assert(inside++ == 0);
  inside--;
}

/* Like a library that holds a lock from its question until after its region.  */
static void call_library(struct thread *self)
{
  ghcomp_admission_ask(self, 2, &rounds);
  weak_assert(inside++ == 0);
  compute(self, stays_inside);
  inside--;
  ghcomp_admission_abandon(self);
}

void weak_thread(unsigned number)
{
  if (number == 0)
    call_library(be(number));
  else
    compute(be(number), is_alone);
}

void weak_end(void)
{
  expect_nothing_left(2);
}
