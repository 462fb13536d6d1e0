/* A master that soon asks again goes on with its turn: it computes two regions and then ends.  The
   other master waits, does not begin in between, gets its turn afterwards, and no wake-up is lost.
   code: wait/parking.c.  */
#include "admission.h"

static bool in_series; /* plain, like `inside` */

/* A region whose master soon asks again, as it has learned.  */
static void compute_in_series(struct thread *self)
{
  struct admitted mine = ghcomp_admission_enter(self, 2, true, false);
  weak_assert(mine.threads == 2 && mine.counted == 2);
  rounds++;
  weak_assert(!ghcomp_admission_passes_turn(self));
  ghcomp_admission_leave(self, mine.counted);
}

/* The first region is over before the threads begin.  */
void weak_setup(void)
{
  set_up_masters();
  struct thread *first = be(0);
  first->turn.gap = 1;
  ghcomp_admission_ask(first, 2, &rounds);
  compute_in_series(first);
  weak_assert(first->turn.kept_threads == 2 && first->turn.kept_after_region);
  in_series = true;
}

static void ask_again(struct thread *self)
{
  ghcomp_admission_ask(self, 2, &rounds);
  compute_in_series(self);
  in_series = false;
  ghcomp_admission_abandon(self);
}

static void compute_alone(struct thread *self)
{
  struct admitted mine = ghcomp_admission_enter(self, 2, true, false);
  weak_assert(mine.threads == 2 && mine.counted == 2);
  weak_assert(!in_series);
  rounds++;
  ghcomp_admission_leave(self, mine.counted);
}

void weak_thread(unsigned number)
{
  if (number == 0)
    ask_again(be(number));
  else
    compute_alone(be(number));
}

void weak_end(void)
{
  expect_nothing_left(3);
}
