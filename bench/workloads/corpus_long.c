/* The first master's region lasts until the program ends; the others have short ones.  */
#include "corpus.h"

#include <omp.h>
#include <stddef.h>
#include <unistd.h>

enum { STEPS = 100 };

static int to_echo[2], from_echo[2];

static int is_short(long number)
{
  return number == 0 ? -1 : 0;
}

/* What a thread does that is no master: it sends each byte back.  */
static void *echo(void *nothing)
{
  for (;;)
    corpus_put(from_echo[1], corpus_take(to_echo[0]));
  return nothing;
}

static void prepare(void)
{
  corpus_pipe(to_echo);
  corpus_pipe(from_echo);
}

static void make_echo(void)
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, echo, NULL) != 0)
    corpus_fail("a thread cannot be made");
}

/* The region's first thread; the others wait at the region's end.  */
static void wait_for_bytes(void)
{
  for (;;) {
    corpus_put(to_echo[1], 'x');
    if (corpus_take(from_echo[0]) != 'x')
      corpus_fail("wrong: a byte");
  }
}

static void sleep_for_ever(void)
{
  for (;;)
    pause();
}

static void compute_for_ever(void)
{
  for (;;)
    corpus_compute(STEPS);
}

static void long_region(void)
{
  if (corpus.form == READS_A_PIPE)
    make_echo();
#pragma omp parallel
  if (corpus.form == COMPUTES)
    compute_for_ever();
  else if (corpus.form == PASSES_BARRIERS)
    for (;;) {
      corpus_compute(STEPS);
#pragma omp barrier
    }
  else if (omp_get_thread_num() == 0 && corpus.form == SLEEPS)
    sleep_for_ever();
  else if (omp_get_thread_num() == 0)
    wait_for_bytes();
}

static void long_or_short(struct master *me)
{
  corpus_ask(me);
  if (me->number == 0)
    long_region();
  corpus_region(corpus.steps, NULL, NULL);
  corpus_count(me, 1);
}

const struct kind corpus_long = {"long", {"a short region"}, is_short, prepare, long_or_short};
