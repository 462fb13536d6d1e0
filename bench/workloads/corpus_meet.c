/* All masters meet in their regions: none of these ends before all have begun.  The first master counts rounds.  */
#include "corpus.h"

#include <stddef.h>

static long arrived, met; /* `met`: the rounds in which all have met */
static int pipes[2][2];   /* of even and odd rounds, so that a master takes no byte of the round before */

static int is_first(long number)
{
  return number == 0 ? 0 : -1;
}

static void prepare(void)
{
  corpus_pipe(pipes[0]);
  corpus_pipe(pipes[1]);
}

static void wake_others(int pipe)
{
  for (long i = 1; i < corpus.masters; i++)
    corpus_put(pipe, 'x');
}

static void meet(void *argument)
{
  long round = ((struct master *)argument)->count;
  int is_last = __atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) == (round + 1) * corpus.masters;
  if (corpus.way == PIPE) {
    if (is_last)
      wake_others(pipes[round % 2][1]);
    else
      corpus_take(pipes[round % 2][0]);
    return;
  }
  if (is_last)
    __atomic_store_n(&met, round + 1, __ATOMIC_RELEASE);
  while (__atomic_load_n(&met, __ATOMIC_ACQUIRE) <= round)
    corpus_pause();
}

static void meet_in_region(struct master *me)
{
  corpus_ask(me);
  corpus_region(corpus.steps, meet, me);
  corpus_count(me, 1);
}

const struct kind corpus_meet = {"meet", {"a round"}, is_first, prepare, meet_in_region};
