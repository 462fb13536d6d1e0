/* Callers: masters that start one region after another; ones that live shortly; ones with nested teams; and ones beside regions
   that sleep.  */
#include "corpus.h"

#include <omp.h>
#include <stddef.h>
#include <time.h>

static void call(struct master *me)
{
  corpus_ask(me);
  corpus_region(corpus.steps, NULL, NULL);
  corpus_count(me, 1);
}

const struct kind corpus_callers = {"callers", {"a region"}, NULL, NULL, call};

/* Between the question and its region a master computes as long as ten threads compute in such a region: it prepares.  */
static void prepare_and_call(struct master *me)
{
  corpus_ask(me);
  corpus_compute(10 * corpus.steps);
  corpus_region(corpus.steps, NULL, NULL);
  corpus_count(me, 1);
}

const struct kind corpus_prepare = {"prepare", {"a region"}, NULL, NULL, prepare_and_call};

/* --------------------------------------------------------------------- masters that come and go */

/* One to three regions in the life of a thread.  */
static long life(const struct master *maker)
{
  return 1 + maker->count % 3;
}

static void *live(void *maker)
{
  for (long i = life(maker); i > 0; i--) {
    corpus_ask(maker);
    corpus_region(corpus.steps, NULL, NULL);
  }
  return NULL;
}

static void make_master(struct master *me)
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, live, me) != 0)
    corpus_fail("a thread cannot be made");
  pthread_join(thread, NULL);
  corpus_count(me, life(me));
}

const struct kind corpus_come_and_go = {"comego", {"a region"}, NULL, NULL, make_master};

/* ------------------------------------------------------------------------------------ nested teams */

static void call_nested(struct master *me)
{
  corpus_ask(me);
#pragma omp parallel num_threads(2)
  {
    corpus_ask(me);
    corpus_region(corpus.steps, NULL, NULL);
  }
  corpus_count(me, 1);
}

const struct kind corpus_nested = {"nested", {"an outer region"}, NULL, NULL, call_nested};

/* ----------------------------------------------------------------------------- regions that sleep */

static int sleeps(long number)
{
  return number % 2 == 0;
}

static void sleep_2_ms(void *nothing)
{
  (void)nothing;
  nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
}

static void sleep_or_call(struct master *me)
{
  corpus_ask(me);
  if (sleeps(me->number))
    corpus_region(0, sleep_2_ms, NULL);
  else
    corpus_region(corpus.steps, NULL, NULL);
  corpus_count(me, 1);
}

const struct kind corpus_sleeping = {"sleeping", {"a region that computes", "a region that sleeps"}, sleeps, NULL, sleep_or_call};
