/* Questions from eight places of the program, as of eight libraries.  */
#include "corpus.h"
#include "places_that_ask.h"

#include <stddef.h>

_Static_assert((int)PLACES == (int)MOST_PLACES, "the most places that a run may name");

void corpus_ask_from(long place)
{
  if (asks[place % PLACES]() < 1)
    corpus_fail("wrong: a team of no threads");
}

/* Half of the masters ask and never start a region; the others are callers.  */
static int asks_only(long number)
{
  return number % 2 == 0;
}

static void ask_or_call(struct master *me)
{
  if (asks_only(me->number)) {
    corpus_ask_from(me->count);
    corpus_compute(corpus.steps);
  } else {
    corpus_region(corpus.steps, NULL, NULL);
  }
  corpus_count(me, 1);
}

const struct kind corpus_ask_only = {"askonly", {"a region", "a question and computing"}, asks_only, NULL, ask_or_call};
