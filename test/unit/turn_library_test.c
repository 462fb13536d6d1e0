/* storey: admission */
/* What is learned of libraries and of places that ask: whether a library has a lock, how often that is looked at again, when
   a library or a place takes no turns for a while, and what happens when there is no room for more.  Time is a number here.  */
#include "admission/library.h"
#include "admission/turn.h"
#include "base/cycles.h"
#include "expect.h"

enum { FIRST_NEEDED = 4, MOST_NEEDED = 4096, FIRST_PROBE = 64, MOST_PROBE = 4096, DOUBTS = 4, MOST_WASTED = 6, QUESTIONS = 100000 };
#define MANY 1000000u /* threads: more than processors */
#define SUSPECTED_PROBE_NS 20000000u

static char bodies[1000], places[2000]; /* their addresses count */
static char *next_body = bodies, *next_place = places;

static struct library *new_library(void)
{
  struct library *library = ghcomp_library_of(next_body++);
  EXPECT(library != NULL && load_relaxed(&library->lock) == LOCK_SUSPECTED);
  return library;
}

static struct site *new_site(void)
{
  struct site *site = ghcomp_site_of(next_place++);
  EXPECT(site != NULL && ghcomp_library_at(site) == &ghcomp_library_unknown);
  return site;
}

static bool has_lock(struct library *library)
{
  return load_relaxed(&library->lock) == LOCK_SEEN;
}

/* ------------------------------------------------------------- is there a lock */

/* The first sighting counts.  */
static void first_sighting(void)
{
  struct library *library = new_library();
  ghcomp_library_saw_lock(library);
  EXPECT(has_lock(library));
}

static void see_often(struct library *library, unsigned times)
{
  for (unsigned i = 0; i < times; i++)
    ghcomp_library_saw_lock(library);
}

/* Regions ran at the same time while a lock was only suspected.  Then more sightings are needed, in a row.  */
static void none_at_first(void)
{
  struct library *library = new_library();
  EXPECT(ghcomp_library_has_none(library));
  EXPECT(!ghcomp_library_has_none(library)); /* no news */
  for (unsigned again = 0; again < 100; again++) {
    see_often(library, FIRST_NEEDED - 1);
    EXPECT(!has_lock(library));
    EXPECT(!ghcomp_library_has_none(library));
  }
  see_often(library, FIRST_NEEDED);
  EXPECT(has_lock(library));
}

/* Each time that it turns out not to be there, four times as many sightings are needed.  So the lock of a library that has
   none is believed a few times at most.  */
static void ever_more_sightings(void)
{
  struct library *library = new_library();
  EXPECT(ghcomp_library_has_none(library));
  unsigned believed = 0;
  for (unsigned needed = FIRST_NEEDED;; needed = needed < MOST_NEEDED ? 4 * needed : needed) {
    see_often(library, needed - 1);
    EXPECT(!has_lock(library));
    see_often(library, 1);
    EXPECT(has_lock(library));
    EXPECT(ghcomp_library_has_none(library));
    EXPECT_NUMBER(load_relaxed(&library->sightings), 0);
    if (++believed == 10)
      break;
  }
  EXPECT_NUMBER(load_relaxed(&library->needed), MOST_NEEDED);
}

/* Each sighting takes system calls, so after regions that ran at the same time the next ones do not look.  */
static void rests(void)
{
  struct library *library = new_library();
  EXPECT(ghcomp_library_looks(library));
  ghcomp_library_has_none(library);
  unsigned without = 0;
  while (!ghcomp_library_looks(library))
    without++;
  EXPECT_NUMBER(without, 16 * FIRST_NEEDED);
}

/* ----------------------------------------------------------------------- probes */

static unsigned questions_to_probe(struct library *library)
{
  unsigned questions = 1;
  while (!ghcomp_library_probes(library, 0) && questions <= QUESTIONS)
    questions++;
  return questions;
}

/* A probe that sees the lock makes the next ones rarer.  */
static void probes_of_a_lock(void)
{
  struct library *library = new_library();
  ghcomp_library_saw_lock(library);
  unsigned last = questions_to_probe(library), probes;
  EXPECT_NUMBER(last, FIRST_PROBE);
  for (probes = 1; last < MOST_PROBE && probes < 100; probes++) {
    ghcomp_library_saw_lock(library);
    unsigned next = questions_to_probe(library);
    EXPECT(next >= last && next <= 4 * last);
    last = next;
  }
  EXPECT_NUMBER(last, MOST_PROBE);
  EXPECT(probes <= 8);
  ghcomp_library_saw_lock(library);
  EXPECT_NUMBER(questions_to_probe(library), MOST_PROBE);
}

/* A probe that does not see the lock is followed by another one at once.  Four that do not see it, more than those that do, end
   the belief.  */
static void doubts(void)
{
  struct library *library = new_library();
  ghcomp_library_saw_lock(library);
  questions_to_probe(library);
  for (unsigned again = 0; again < 100; again++) {
    EXPECT(!ghcomp_library_saw_none(library));
    EXPECT_NUMBER(questions_to_probe(library), 1);
    ghcomp_library_saw_lock(library);
    EXPECT_NUMBER(questions_to_probe(library), FIRST_PROBE); /* as rare as before, not rarer */
  }
  for (unsigned doubt = 1; doubt < DOUBTS; doubt++) {
    EXPECT(!ghcomp_library_saw_none(library));
    EXPECT_NUMBER(questions_to_probe(library), 1);
  }
  EXPECT(has_lock(library));
  EXPECT(ghcomp_library_saw_none(library));
  EXPECT(!has_lock(library));
  EXPECT(!ghcomp_library_saw_none(library)); /* no news */
  EXPECT_NUMBER(load_relaxed(&library->needed), 4 * FIRST_NEEDED);
}

static void doubts_of_a_suspected_lock(void)
{
  struct library *library = new_library();
  EXPECT(ghcomp_library_probes(library, 1));
  for (unsigned doubt = 1; doubt < DOUBTS; doubt++) {
    EXPECT(!ghcomp_library_saw_none(library));
    EXPECT(ghcomp_library_probes(library, 1));
  }
  EXPECT(ghcomp_library_saw_none(library));
  EXPECT_NUMBER(load_relaxed(&library->needed), FIRST_NEEDED); /* its lock was never believed */
}

/* How long a thread prepares is the shortest that was seen lately.  */
static void preparation(void)
{
  struct library *library = new_library();
  ghcomp_library_prepares(library, 3000000);
  EXPECT_NUMBER(load_relaxed(&library->prepares), 3000000);
  ghcomp_library_prepares(library, 2000);
  EXPECT_NUMBER(load_relaxed(&library->prepares), 2000);
  ghcomp_library_prepares(library, UINT64_MAX);
  EXPECT_NUMBER(load_relaxed(&library->prepares), 2251);
  for (unsigned i = 0; i < 200; i++)
    ghcomp_library_prepares(library, UINT64_MAX);
  EXPECT_NUMBER(load_relaxed(&library->prepares), UINT32_MAX);
}

/* While nothing is known they depend on time: one tries, and after a while another one.  */
static void probes_of_a_suspected_lock(void)
{
  struct library *library = new_library();
  uint64_t now = 0;
  for (uint64_t after = 1; after <= MOST_PROBE; after *= 4) {
    EXPECT(ghcomp_library_probes(library, now));
    EXPECT(!ghcomp_library_probes(library, now));
    now += cycles_in(SUSPECTED_PROBE_NS * after);
    EXPECT(!ghcomp_library_probes(library, now - 1));
  }
  EXPECT(ghcomp_library_probes(library, now));
  EXPECT(!ghcomp_library_probes(library, now + cycles_in((uint64_t)SUSPECTED_PROBE_NS * MOST_PROBE) - 1));
  EXPECT(ghcomp_library_probes(library, now + cycles_in((uint64_t)SUSPECTED_PROBE_NS * MOST_PROBE)));
}

/* --------------------------------------------------------------------- patience */

static void patience(void)
{
  struct library *library = new_library();
  ghcomp_library_saw_lock(library);
  for (unsigned again = 0; again < 3; again++) {
    ghcomp_library_waited_in_vain(library);
    ghcomp_library_waited_in_vain(library);
    EXPECT(has_lock(library));
    ghcomp_library_waited_well(library);
  }
  ghcomp_library_waited_in_vain(library);
  ghcomp_library_waited_in_vain(library);
  ghcomp_library_waited_in_vain(library);
  EXPECT_NUMBER(load_relaxed(&library->lock), LOCK_NONE);
  ghcomp_library_waited_well(library);
  EXPECT_NUMBER(load_relaxed(&library->lock), LOCK_NONE);
  EXPECT_NUMBER(load_relaxed(&library->needed), 4 * FIRST_NEEDED); /* its lock was believed */
}

static void no_patience_while_suspected(void)
{
  struct library *library = new_library();
  ghcomp_library_waited_in_vain(library);
  EXPECT_NUMBER(load_relaxed(&library->lock), LOCK_NONE);
}

/* ------------------------------------------------------------ questions in vain */

static unsigned skips(struct site *site)
{
  unsigned count = 0;
  while (ghcomp_site_skips(site))
    count++;
  return count;
}

static void skips_of_a_site(void)
{
  struct site *site = new_site();
  EXPECT_NUMBER(skips(site), 0);
  for (unsigned wasted = 1; wasted <= MOST_WASTED + 3; wasted++) {
    ghcomp_site_wasted(site);
    EXPECT_NUMBER(skips(site), 1u << 2 * (wasted < MOST_WASTED ? wasted : MOST_WASTED));
  }
  for (unsigned used = 1; used < MOST_WASTED; used++)
    ghcomp_site_used(site);
  ghcomp_site_wasted(site);
  EXPECT_NUMBER(skips(site), 16);
  for (unsigned used = 0; used < 10; used++)
    ghcomp_site_used(site);
  EXPECT_NUMBER(load_relaxed(&site->wasted), 0);
}

/* 4 + 16 + … + 4^6 = 5460 questions take no turn after the first six that have one, and then 4096 after each.  */
static void few_turns_in_vain(void)
{
  struct site *site = new_site();
  unsigned wasted = 0;
  for (unsigned i = 0; i < QUESTIONS; i++)
    if (!ghcomp_site_skips(site)) {
      ghcomp_site_wasted(site);
      wasted++;
    }
  EXPECT_NUMBER(wasted, MOST_WASTED + 1 + (QUESTIONS - MOST_WASTED - 5460 - 1) / 4097);
}

/* ---------------------------------------------------------------------- no room */

static struct thread asker;

/* A call whose library has no entry of its own: no turn, and nothing makes the others' one look as if it had a lock.  */
static void call_without_room(const void *place, const void *body)
{
  ghcomp_turn_ask(&asker, place, MANY);
  EXPECT(ghcomp_turn_begin(&asker, body));
  EXPECT_NUMBER(load_relaxed(&asker.turn.state), TURN_NONE);
  ghcomp_turn_end(&asker);
}

static void too_many_libraries(void)
{
  const void *left_out = NULL;
  unsigned found = 0;
  for (unsigned i = 0; i < 200; i++, next_body++) {
    struct library *library = ghcomp_library_of(next_body);
    bool own = load_relaxed(&library->body) == next_body;
    found += own;
    EXPECT(library == ghcomp_library_of(next_body) && (own || load_relaxed(&library->lock) == LOCK_NONE));
    left_out = own ? left_out : next_body;
  }
  EXPECT(found > 8 && found <= 32 && left_out != NULL);
  ghcomp_turn_count_masters(2);
  for (unsigned i = 0; left_out != NULL && i < 3; i++)
    call_without_room(next_place, left_out);
  struct library *others = ghcomp_library_at(ghcomp_site_of(next_place++));
  EXPECT(others == ghcomp_library_of(left_out) && !ghcomp_library_looks(others));
  see_often(others, 2 * MOST_NEEDED);
  EXPECT_NUMBER(load_relaxed(&others->lock), LOCK_NONE);
}

static void too_many_sites(void)
{
  unsigned found = 0;
  for (unsigned i = 0; i < 1000; i++, next_place++) {
    const struct site *site = ghcomp_site_of(next_place);
    found += site != NULL;
    EXPECT(site == ghcomp_site_of(next_place));
    if (site != NULL)
      continue;
    ghcomp_turn_ask(&asker, next_place, MANY);
    EXPECT_NUMBER(load_relaxed(&asker.turn.state), TURN_NONE);
  }
  EXPECT(found > 128 && found <= 256);
}

/* In a forked child.  */
static void forgets_threads(void)
{
  struct library *library = ghcomp_library_of(bodies);
  store_relaxed(&library->running, 1);
  store_relaxed(&ghcomp_library_unknown.running, 1);
  library->holder = library->first = library->last = &asker;
  ghcomp_libraries_forget_threads();
  EXPECT(load_relaxed(&library->running) == 0 && load_relaxed(&ghcomp_library_unknown.running) == 0);
  EXPECT(library->holder == NULL && library->first == NULL && library->last == NULL);
}

int main(void)
{
  first_sighting();
  none_at_first();
  ever_more_sightings();
  rests();
  probes_of_a_lock();
  probes_of_a_suspected_lock();
  doubts();
  doubts_of_a_suspected_lock();
  preparation();
  patience();
  no_patience_while_suspected();
  skips_of_a_site();
  few_turns_in_vain();
  too_many_libraries();
  too_many_sites();
  forgets_threads();
  return expect_result();
}
