/* A master asks once and runs two regions of its answer: the second one does not wait.  The other
   master waits, does not begin in between, gets its turn afterwards, and no wake-up is lost.
   code: wait/parking.c.  */
#include "admission.h"

static bool in_answer; /* plain, like `inside` */

static void compute(struct thread *self, bool answered)
{
  struct admitted mine = ghcomp_admission_enter(self, 2, true, answered);
  weak_assert(mine.threads == 2 && mine.counted == 2);
  weak_assert(answered || !in_answer);
  rounds++;
  weak_assert(!answered || !ghcomp_admission_passes_turn(self));
  ghcomp_admission_leave(self, mine.counted);
}

/* The first region is over before the threads begin.  */
void weak_setup(void)
{
  set_up_masters();
  struct thread *first = be(0);
  ghcomp_admission_ask(first, 2, &rounds);
  in_answer = true;
  compute(first, true);
  weak_assert(first->turn.kept_threads == 2 && !first->turn.kept_leaves);
}

static void go_on(struct thread *self)
{
  compute(self, true);
  in_answer = false;
  ghcomp_admission_abandon(self);
}

void weak_thread(unsigned number)
{
  if (number == 0)
    go_on(be(number));
  else
    compute(be(number), false);
}

void weak_end(void)
{
  expect_nothing_left(3);
}
