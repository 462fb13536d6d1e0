/* A master keeps its turn for its next region, which follows no question.  Another master waits, does not begin in
   between, gets its turn afterwards, and no wake-up is lost.
   code: wait/parking.c.  */
#include "admission.h"

static bool in_turn; /* plain: another master that began too early would be a data race, too */

static struct admitted begin_region(struct thread *self)
{
  struct admitted mine = ghcomp_admission_enter(self, 2, true, false);
  weak_assert(mine.threads == 2 && mine.counted == 2);
  rounds++;
  return mine;
}

/* The first region is over before the threads begin.  */
void weak_setup(void)
{
  set_up_masters();
  struct thread *first = be(0);
  first->turn.prompt = 16;
  struct admitted mine = begin_region(first);
  weak_assert(!ghcomp_admission_passes_turn(first));
  first->turn.series_goes_on = true; /* as if another master waited already */
  ghcomp_admission_leave(first, mine.counted);
  weak_assert(first->turn.kept_threads == 2 && first->turn.kept_after_region);
  in_turn = true;
}

static void compute_again(struct thread *self)
{
  struct admitted mine = begin_region(self);
  in_turn = false;
  self->turn.series_end = 0; /* this is the turn's last region */
  (void)ghcomp_admission_passes_turn(self);
  ghcomp_admission_leave(self, mine.counted);
}

static void compute_alone(struct thread *self)
{
  struct admitted mine = begin_region(self);
  weak_assert(!in_turn);
  (void)ghcomp_admission_passes_turn(self);
  ghcomp_admission_leave(self, mine.counted);
}

void weak_thread(unsigned number)
{
  if (number == 0)
    compute_again(be(number));
  else
    compute_alone(be(number));
}

void weak_end(void)
{
  expect_nothing_left(3);
}
