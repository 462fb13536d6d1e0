/* Questions from eight places of the program, as of eight libraries.  */
#include "corpus.h"

#include <omp.h>
#include <stddef.h>

/* The compiler neither merges these functions nor jumps from them into the question, so each is a place of its own.  */
#define PLACE(number)                                    \
  static __attribute__((noinline)) int ask##number(void) \
  {                                                      \
    int size = omp_get_max_threads();                    \
    __asm__ volatile("# place " #number : "+r"(size));   \
    return size;                                         \
  }
PLACE(0)
PLACE(1)
PLACE(2)
PLACE(3)
PLACE(4)
PLACE(5)
PLACE(6)
PLACE(7)
static int (*const asks[MOST_PLACES])(void) = {ask0, ask1, ask2, ask3, ask4, ask5, ask6, ask7};

void corpus_ask_from(long place)
{
  if (asks[place % MOST_PLACES]() < 1)
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
