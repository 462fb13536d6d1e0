/* Two threads take the last answer of a place that takes no turn.  Whichever looks first, no answer there
   is left without a turn afterwards: the count does not pass 0.
   code: wait/parking.c.  */
#include "admission.h"

#define PLACE ((const void *)1)

static int answers_of[2];

static bool takes_no_turn(struct thread *self)
{
  return ghcomp_admission_answer_takes_no_turn(self, PLACE);
}

/* An answer of two regions, whose thread slept in between.  */
static void answer_and_sleep(struct thread *self)
{
  self->turn.promised_at = (uint32_t)(uintptr_t)PLACE;
  ghcomp_admission_answer_begin(self);
  self->turn.answer_regions = 2;
  self->turn.answer_slept = true;
  ghcomp_admission_answer_end(self);
}

/* Three of them leave four answers without turns.  One is left when the threads begin.  */
void weak_setup(void)
{
  set_up_masters();
  for (unsigned slept = 0; slept < SLEPT_LEAST; slept++)
    answer_and_sleep(be(0));
  for (unsigned taken = 0; taken < 3; taken++)
    weak_assert(takes_no_turn(be(0)));
}

void weak_thread(unsigned number)
{
  answers_of[number] = takes_no_turn(be(number));
}

void weak_end(void)
{
  weak_assert(answers_of[0] + answers_of[1] >= 1); /* the look that comes first finds one */
  weak_assert(!takes_no_turn(be(0)));
}
