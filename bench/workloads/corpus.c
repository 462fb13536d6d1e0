#include "corpus.h"

#include "beside.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

struct corpus corpus = {.masters = 4, .places = 1, .steps = 625, .way = YIELD, .processes = 1};

/* Other threads are in regions, which exit would not wait for.  */
void corpus_fail(const char *what)
{
  fprintf(stderr, "turns_corpus: %s\n", what);
  _exit(1);
}

void corpus_ask(const struct master *master)
{
  if (corpus.asks)
    corpus_ask_from(master->number % corpus.places);
}

void corpus_region(long steps, void (*inside)(void *), void *argument)
{
  uint64_t sum = beside_region(steps, inside, argument);
  if (steps == corpus.steps && sum != corpus.expected)
    corpus_fail("wrong: a region's sum");
}

void corpus_compute(long steps)
{
  if (beside_alone(steps) == 0)
    corpus_fail("wrong: a sum");
}

void corpus_pause(void)
{
  if (corpus.way == YIELD)
    sched_yield();
}

void corpus_pipe(int ends[2])
{
  if (pipe(ends) != 0)
    corpus_fail("a pipe cannot be made");
}

void corpus_put(int pipe, char byte)
{
  if (write(pipe, &byte, 1) != 1)
    corpus_fail("a pipe takes no byte");
}

char corpus_take(int pipe)
{
  char byte;
  if (read(pipe, &byte, 1) != 1)
    corpus_fail("a pipe has no byte");
  return byte;
}
