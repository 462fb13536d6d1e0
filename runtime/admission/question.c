/* Which questions take a turn.  A library asks for the size of a team before each of its regions;
   other code may ask for another reason.  Each place in the program that asks is judged by what
   followed its questions.  Only the thread that asks calls these functions.  */
#include "admission/queue.h"

#include "state/thread.h"

/* After 1, 2, 3… questions in a row without a region, 2, 4, 8… questions take no turn, at most
   2^WITHOUT_REGION_MOST.  */
#define WITHOUT_REGION_MOST 12u

/* A place that is not known takes the room of the one that became known first.  */
static struct question *find(struct thread_turn *turn, const void *caller)
{
  for (unsigned i = 0; i < QUESTIONS; i++)
    if (turn->questions[i].caller == caller)
      return &turn->questions[i];
  struct question *room = &turn->questions[turn->questions_known++ % QUESTIONS];
  *room = (struct question){.caller = caller};
  return room;
}

bool ghcomp_admission_question_takes_turn(struct thread *self, const void *caller)
{
  struct question *question = find(&self->turn, caller);
  if (question->without_turn != 0) {
    question->without_turn--;
    return false;
  }
  self->turn.promised_at = caller;
  return true;
}

void ghcomp_admission_question_had_region(struct thread *self)
{
  find(&self->turn, self->turn.promised_at)->without_region = 0;
}

void ghcomp_admission_question_had_none(struct thread *self)
{
  struct question *question = find(&self->turn, self->turn.promised_at);
  question->without_region += question->without_region < WITHOUT_REGION_MOST;
  question->without_turn = 1u << question->without_region;
}
