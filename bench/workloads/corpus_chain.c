/* A chain: each master's region waits inside for the end of the next master's, and only the last one ends by itself.  Those that
   wait arrive first, or last.  The first master counts chains.  */
#include "corpus.h"

#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>

struct link {
  _Alignas(128) long ended; /* chains in which this master's region is over */
  sem_t may_arrive;
  int pipe[2]; /* a byte from the next master's region */
};

static struct link *links;

static int is_first(long number)
{
  return number == 0 ? 0 : -1;
}

static long first_to_arrive(void)
{
  return corpus.order == FIRST ? 0 : corpus.masters - 1;
}

static void prepare(void)
{
  links = aligned_alloc(_Alignof(struct link), (size_t)corpus.masters * sizeof *links);
  if (links == NULL)
    corpus_fail("no memory");
  for (long i = 0; i < corpus.masters; i++) {
    links[i].ended = 0;
    sem_init(&links[i].may_arrive, 0, i == first_to_arrive());
    corpus_pipe(links[i].pipe);
  }
}

static void wait_for_next(void *argument)
{
  const struct master *me = argument;
  if (me->number + 1 == corpus.masters)
    return;
  if (corpus.way == PIPE)
    corpus_take(links[me->number].pipe[0]);
  else
    while (__atomic_load_n(&links[me->number + 1].ended, __ATOMIC_ACQUIRE) <= me->count)
      corpus_pause();
}

static void end(struct master *me)
{
  __atomic_store_n(&links[me->number].ended, me->count + 1, __ATOMIC_RELEASE);
  if (me->number > 0 && corpus.way == PIPE)
    corpus_put(links[me->number - 1].pipe[1], 'x');
  corpus_count(me, 1);
  if (me->number == 0) /* the chain is over */
    sem_post(&links[first_to_arrive()].may_arrive);
}

static void link_in_region(struct master *me)
{
  long next = corpus.order == FIRST ? me->number + 1 : me->number - 1;
  sem_wait(&links[me->number].may_arrive);
  if (next >= 0 && next < corpus.masters)
    sem_post(&links[next].may_arrive);
  corpus_ask(me);
  corpus_region(corpus.steps, wait_for_next, me);
  end(me);
}

const struct kind corpus_chain = {"chain", {"a chain"}, is_first, prepare, link_in_region};
