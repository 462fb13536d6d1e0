/* Which questions take a turn.  A library asks for the size of a team before each of its regions;
   other code may ask for another reason.  Each place in the program that asks is judged by what
   followed its questions.  A thread remembers the places whose last question led to no region.  Only
   that thread calls these functions.  */
#include "admission/queue.h"

#include "state/thread.h"

/* After 1, 2, 3… questions in a row without a region, 2, 4, 8… questions take no turn, at most
   2^WITHOUT_REGION_MOST.  */
#define WITHOUT_REGION_MOST 12u

/* The place, if it is remembered; else NULL.  `caller` 0: room for another place.  */
static struct question *find(struct thread_turn *turn, uint32_t caller)
{
  for (unsigned i = 0; i < QUESTIONS; i++)
    if (turn->questions[i].caller == caller)
      return &turn->questions[i];
  return NULL;
}

/* If there is no room, the place that was remembered first is forgotten.  */
static struct question *remember(struct thread_turn *turn, uint32_t caller)
{
  struct question *room = find(turn, 0);
  if (room == NULL)
    room = &turn->questions[turn->questions_forgotten++ % QUESTIONS];
  *room = (struct question){.caller = caller};
  return room;
}

bool ghcomp_admission_question_takes_turn(struct thread *self, const void *address)
{
  uint32_t caller = (uint32_t)(uintptr_t)address;
  struct question *question = find(&self->turn, caller);
  if (question != NULL && question->without_turn != 0) {
    question->without_turn--;
    return false;
  }
  self->turn.promised_at = caller;
  return true;
}

void ghcomp_admission_question_had_region(struct thread *self)
{
  struct question *question = find(&self->turn, self->turn.promised_at);
  if (question != NULL)
    *question = (struct question){0};
}

void ghcomp_admission_question_had_none(struct thread *self)
{
  uint32_t caller = self->turn.promised_at;
  struct question *question = find(&self->turn, caller);
  if (question == NULL)
    question = remember(&self->turn, caller);
  if (question->without_region < WITHOUT_REGION_MOST)
    question->without_region++;
  question->without_turn = (uint16_t)(1u << question->without_region);
}
