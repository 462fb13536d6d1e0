/* Masters in pairs exchange a value in each region, within the process, or with another process that has the other half of
   each pair.  */
#include "corpus.h"

#include <stddef.h>
#include <sys/mman.h>

struct side {
  _Alignas(128) long value;
  int pipe[2]; /* from this side to the other one */
};

static struct side *sides; /* by the numbers of masters; shared with the other process */

static void prepare(void)
{
  sides = mmap(NULL, (size_t)corpus.masters * sizeof *sides, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (sides == MAP_FAILED || corpus.masters % 2 != 0)
    corpus_fail("no memory, or a master without another one");
  for (long i = 0; i < corpus.masters; i++)
    corpus_pipe(sides[i].pipe);
}

static void exchange(void *argument)
{
  const struct master *me = argument;
  struct side *mine = &sides[me->number], *other = &sides[me->number ^ 1];
  long value = me->count + 1;
  if (corpus.way == PIPE) {
    corpus_put(mine->pipe[1], (char)value);
    if (corpus_take(other->pipe[0]) != (char)value)
      corpus_fail("wrong: the value from the other region");
    return;
  }
  __atomic_store_n(&mine->value, value, __ATOMIC_RELEASE);
  while (__atomic_load_n(&other->value, __ATOMIC_ACQUIRE) < value)
    corpus_pause();
}

static void exchange_in_region(struct master *me)
{
  corpus_ask(me);
  corpus_region(corpus.steps, exchange, me);
  corpus_count(me, 1);
}

const struct kind corpus_exchange = {"exchange", {"a region"}, NULL, prepare, exchange_in_region};
