/* storey: admission */
/* How long questions wait, for each kind of thread that has the turn, and how many wait in vain.  The time and the threads are
   simulated: each is a context that computes, sleeps, or waits for a processor, for as long as it says.  Each case runs in a
   child, so nothing has been learned before.  */
#include "turn_simulation.h"

/* As in turn_wait.c.  */
#define LOOK_NS 3000000u
enum { PATIENCE = AGAIN, FIRST_PROBE = AGAIN * AGAIN * AGAIN };
/* Of this test.  */
enum { QUESTIONS = 100000, CALLS = 20000 };
#define SLACK_NS 100000u

/* ------------------------------------------------------------ kinds of holders */

static void computes_in_region(struct actor *self)
{
  ask_at(self, &place);
  compute_region(self, COMPUTES, FOR_EVER);
}

static void sleeps_in_region(struct actor *self)
{
  ask_at(self, &place);
  compute_region(self, SLEEPS, FOR_EVER);
}

static void computes_after_question(struct actor *self)
{
  ask_at(self, &place);
  go_on(COMPUTES, FOR_EVER);
}

static void sleeps_after_question(struct actor *self)
{
  ask_at(self, &place);
  go_on(SLEEPS, FOR_EVER);
}

/* As a thread that waits for Python's lock does, which the one that waits for the turn may have.  */
static void wakes_after_question(struct actor *self)
{
  ask_at(self, &place);
  for (;;) {
    go_on(SLEEPS, 1900000);
    go_on(COMPUTES, 20000);
  }
}

static void computes_after_call(struct actor *self)
{
  call(self);
  go_on(COMPUTES, FOR_EVER);
}

static void sleeps_after_call(struct actor *self)
{
  call(self);
  go_on(SLEEPS, FOR_EVER);
}

/* It has a call of two regions, of which one does not come.  */
static void computes_between_regions(struct actor *self)
{
  store_relaxed(&ghcomp_site_of(&place)->regions, 2);
  call(self);
  go_on(COMPUTES, FOR_EVER);
}

/* It asks once, and then has regions for as long as it lives.  */
enum { LIFE_NS = 2000000000, REGION_NS = 50000, GAP_OF_REGIONS_NS = 200000 };

static void has_regions_on_and_on(struct actor *self)
{
  ask_at(self, &place);
  for (uint64_t end = now_ns + LIFE_NS; now_ns < end;) {
    compute_region(self, COMPUTES, REGION_NS);
    go_on(COMPUTES, GAP_OF_REGIONS_NS);
  }
}

enum { PREEMPTED_NS = 1000000000 };

static void is_preempted_after_question(struct actor *self)
{
  ask_at(self, &place);
  go_on(IS_PREEMPTED, PREEMPTED_NS);
  compute_region(self, COMPUTES, CALL_NS);
}

static void is_preempted_in_region(struct actor *self)
{
  ask_at(self, &place);
  compute_region(self, IS_PREEMPTED, PREEMPTED_NS);
}

static void is_preempted_after_call(struct actor *self)
{
  call(self);
  go_on(IS_PREEMPTED, PREEMPTED_NS);
  go_on(COMPUTES, FOR_EVER);
}

/* ----------------------------------------------------------------------- bounds */

static void calls_from_elsewhere(struct actor *self)
{
  ask_at(self, &place_of_others);
  compute_region(self, COMPUTES, CALL_NS);
}

/* Turns of others, of which each is over soon.  */
static uint64_t others_ns(unsigned masters)
{
  return masters * (uint64_t)(CALL_NS + LEAVES_NS) + SLACK_NS;
}

static void expect_waits(const char *what, unsigned masters, uint64_t most)
{
  uint64_t longest = longest_wait();
  printf("%-34s %3u masters: %8.3f ms, at most %8.3f\n", what, masters, (double)longest / 1e6, (double)most / 1e6);
  EXPECT(longest <= most);
  EXPECT(looks <= 2 * masters + 3 * longest / LOOK_NS); /* each costs some microseconds */
}

static const struct kind {
  const char *name;
  void (*holder)(struct actor *self);
  enum {IN_REGION, UNUSED, HAS_LEFT, BETWEEN_REGIONS, ON_AND_ON, PREEMPTED} is;
} kinds[] = {
  {"computes for ever in a region", computes_in_region, IN_REGION},
  {"sleeps in a region", sleeps_in_region, IN_REGION},
  {"asked, and computes", computes_after_question, UNUSED},
  {"asked, and sleeps", sleeps_after_question, UNUSED},
  {"asked, and wakes now and then", wakes_after_question, UNUSED},
  {"has called, and computes", computes_after_call, HAS_LEFT},
  {"has called, and sleeps", sleeps_after_call, HAS_LEFT},
  {"more regions are expected", computes_between_regions, BETWEEN_REGIONS},
  {"asked once, and has many regions", has_regions_on_and_on, ON_AND_ON},
  {"asked, and is preempted", is_preempted_after_question, PREEMPTED},
  {"is preempted in a region", is_preempted_in_region, PREEMPTED},
  {"has called, and is preempted", is_preempted_after_call, PREEMPTED},
};
static const struct kind *kind;
static unsigned masters;
static uint64_t took;

/* Two looks find a time that is over: the first one sees what the holder does, the last one is late.  */
static uint64_t look_ns(void)
{
  return LOOK_NS;
}

static uint64_t unused_ns(void)
{
  return BETWEEN_NS + 2 * look_ns();
}

/* A place skips 4, 16, 64… questions after each turn that no region uses.  So some turns are wasted until nobody waits.  */
static unsigned rounds(void)
{
  unsigned count = 0;
  for (unsigned left = masters, skips = 4; left > 1; count++, skips *= 4)
    left = left > 1 + skips ? left - 1 - skips : 0;
  return count;
}

/* If a region that holds the lock lasts for ever, each thread that seizes the turn spins, and does not use the turn either.  */
static uint64_t bound(void)
{
  uint64_t usual = PATIENCE * took > LONGEST_NS ? PATIENCE * took : LONGEST_NS, rest = others_ns(masters);
  switch (kind->is) {
  case IN_REGION:
    return usual + 2 * look_ns() + (spins_for_lock ? masters * unused_ns() : 0) + rest;
  case UNUSED:
    return unused_ns() + rest;
  case HAS_LEFT:
    return CALL_NS + (knows_calls ? LEAVES_NS : BETWEEN_NS) + 2 * look_ns() + rest;
  case ON_AND_ON:
    return usual + 2 * look_ns() + rest;
  case BETWEEN_REGIONS:
    return CALL_NS + BETWEEN_NS + 2 * look_ns() + rest;
  default:
    return CALL_NS + PREEMPTED_NS + (knows_calls ? 0 : BETWEEN_NS) + 2 * look_ns() + rest;
  }
}

static void lock_seen(void)
{
  make_known(took);
  lock_is_seen();
  add_actor(kind->holder, 0);
  for (unsigned i = 1; i < masters; i++)
    add_actor(calls_from_elsewhere, 1);
  simulate();
  expect_waits(kind->name, masters, bound());
  EXPECT(kind->is != PREEMPTED || masters > FIRST_PROBE || clocks_fail || longest_wait() >= PREEMPTED_NS - SLACK_NS);
}

/* All come from the same place, and no thread has called the library before: the second one does not wait.  */
static void lock_suspected(void)
{
  add_actor(kind->holder, 0);
  for (unsigned i = 1; i < masters; i++)
    add_actor(call, 1);
  simulate();
  expect_waits(kind->name, masters, bound());
  EXPECT_NUMBER(actors[1].longest_wait, 0);
}

static void clock_fails(void)
{
  clocks_fail = true;
  lock_seen();
}

/* ------------------------------------------------------- questions without a region */

static void asks_only(struct actor *self)
{
  ask_at(self, &place);
  go_on(COMPUTES, FOR_EVER);
}

static void asks_only_at_own_place(struct actor *self)
{
  ask_at(self, &own_places[self - actors]);
  go_on(COMPUTES, FOR_EVER);
}

/* The first turn at a place shows that no region follows there.  */
static void nobody_has_a_region(void)
{
  make_known(0);
  lock_is_seen();
  for (unsigned i = 0; i < masters; i++)
    add_actor(asks_only, 1);
  simulate();
  expect_waits("nobody has a region", masters, rounds() * unused_ns() + SLACK_NS);
}

static void nobody_has_a_region_at_any_place(void)
{
  for (unsigned i = 0; i < masters; i++)
    add_actor(asks_only_at_own_place, 1);
  simulate();
  expect_waits("the same, each at its own place", masters, masters * unused_ns() + SLACK_NS);
}

static void asks_on_and_on(struct actor *self)
{
  while (self->questions != 0) {
    ask_at(self, &place);
    go_on(COMPUTES, random_below(self, 2000000));
  }
}

static void expect_few(const char *what, unsigned questions, uint64_t most)
{
  printf("%-34s %3u masters: %llu waits of %.3f ms in %u questions, at most %llu\n", what, masters,
         (unsigned long long)waits(), (double)waited() / 1e6 / (waits() != 0 ? (double)waits() : 1), questions,
         (unsigned long long)most);
  EXPECT(waits() <= most);
}

/* Each turn that is wasted ends the waits of all.  4 + 16 + … + 4^6 = 5460 questions pass until the seventh, and then 4096 each
   time.  */
static void questions_in_vain(void)
{
  make_known(0);
  lock_is_seen();
  for (unsigned i = 0; i < masters; i++)
    add_actor(asks_on_and_on, QUESTIONS / masters);
  simulate();
  expect_few("nobody ever has a region", QUESTIONS, (7 + QUESTIONS / 4096) * masters);
}

/* ------------------------------------------------------------------ many questions */

static uint64_t prepares_ns, region_ns, between_ns; /* at most */

static void calls_on_and_on(struct actor *self)
{
  while (self->questions != 0) {
    ask_at(self, &place);
    go_on(COMPUTES, prepares_ns);
    compute_region(self, COMPUTES, region_ns / 2 + random_below(self, region_ns / 2));
    go_on(COMPUTES, random_below(self, between_ns));
  }
}

static void call_often(const char *what, unsigned questions, uint64_t prepares, uint64_t region, uint64_t between, uint64_t most)
{
  prepares_ns = prepares;
  region_ns = region;
  between_ns = between;
  for (unsigned i = 0; i < masters; i++)
    add_actor(calls_on_and_on, questions / masters);
  simulate();
  expect_few(what, questions, most);
}

/* A lock that is not there is believed eight times at most, and each time until a region overlaps with that of a question
   which looks for the lock: so many times one of 16 questions.  */
#define FEW (masters + 8u * (FIRST_PROBE + masters))

static void no_lock(void)
{
  call_often("no lock", QUESTIONS, 1000, 100000, 200000, FEW);
}

static void no_lock_but_preparation(void)
{
  call_often("no lock, 20 us of preparation", QUESTIONS, 20000, 100000, 200000, FEW);
}

static void no_lock_and_rare_regions(void)
{
  call_often("no lock, rare short regions", QUESTIONS, 20000, 20000, 2000000, FEW);
}

/* Threads that prepare for long between question and region take turns for that, too, while a lock is believed: until four
   questions that look have not seen it.  */
static void no_lock_but_long_preparation(void)
{
  call_often("no lock, 1 ms of preparation", QUESTIONS, 1000000, 100000, 200000, FEW);
}

/* Where there is a lock, turns pay because fewer threads spin.  Here each has a processor of its own, so turns gain nothing.
   What they cost at most is that nobody has the lock after a call: until the holder asks again if it does so soon, or else
   while it leaves.  */
static struct { uint64_t without_turns, with_turns, between; } *elapsed; /* of the children */

static void with_a_lock(const char *what, uint64_t between)
{
  spins_for_lock = true;
  uint64_t began = now_ns;
  call_often(what, CALLS, 1000, 100000, between, CALLS);
  elapsed->between = between;
  *(ghcomp_settings.no_turns ? &elapsed->without_turns : &elapsed->with_turns) = now_ns - began;
}

static void rare_regions(void)
{
  with_a_lock("a lock, rare regions", 2000000);
}

static void some_regions(void)
{
  with_a_lock("a lock, some regions", 500000);
}

static void many_regions(void)
{
  with_a_lock("a lock, many regions", 50000);
}

/* The first region begins while its master is alone, so it is not counted.  Others come, ask and spin.  What that takes is no
   preparation, so their lock is seen all the same.  */
static void is_alone_at_first(struct actor *self)
{
  ask_at(self, &place);
  compute_region(self, COMPUTES, 50000000);
  calls_on_and_on(self);
}

static void comes_later(struct actor *self)
{
  go_on(SLEEPS, 1000000);
  ghcomp_turn_count_masters(1);
  calls_on_and_on(self);
}

static void lock_of_late_masters(void)
{
  spins_for_lock = true;
  prepares_ns = 1000;
  region_ns = 100000;
  between_ns = 50000;
  for (unsigned i = 0; i < masters; i++)
    add_actor(i == 0 ? is_alone_at_first : comes_later, CALLS / masters);
  ghcomp_turn_count_masters(1 - (int)masters);
  simulate();
  EXPECT(load_relaxed(&ghcomp_library_of(&body_function)->lock) != LOCK_NONE);
}

/* Something else holds the lock for long.  The thread with the turn spins for it, and those that take its turn.  The place where
   they ask is not to blame, and takes turns again.  */
static void holds_lock_at_times(struct actor *self)
{
  for (int i = 0; i < 3; i++) {
    go_on(SLEEPS, 300000000);
    take_lock();
    go_on(SLEEPS, 20000000);
    release_lock();
  }
  self->questions = 0;
}

static void lock_held_elsewhere(void)
{
  spins_for_lock = true;
  prepares_ns = 1000;
  region_ns = 5000000;
  between_ns = 50000;
  make_known(region_ns);
  lock_is_seen();
  add_actor(holds_lock_at_times, 1);
  for (unsigned i = 0; i < masters; i++)
    add_actor(calls_on_and_on, 20000 / masters);
  simulate();
  printf("%-34s %3u masters: %u questions in a row take no turn, at most %u\n", "the lock is held elsewhere", masters, most_skipped, AGAIN);
  EXPECT(most_skipped <= AGAIN);
}

/* ------------------------------------------------------------- processors for all */

/* Teams of four: the masters and their workers have a processor each, or all but one thread have.  */
enum { TEAM = 4 };

static void call_with_lock(unsigned workers_of_each, unsigned wanted, unsigned there_are)
{
  spins_for_lock = true;
  region_ns = 100000;
  between_ns = 50000;
  wants = wanted;
  processors = there_are;
  ghcomp_parking_crowd((int)(masters * workers_of_each));
  make_known(region_ns);
  lock_is_seen();
  for (unsigned i = 0; i < masters; i++)
    add_actor(calls_on_and_on, CALLS / masters);
  simulate();
}

static void processors_for_all(void)
{
  call_with_lock(TEAM - 1, TEAM, masters * TEAM);
  EXPECT_NUMBER(waits(), 0);
}

static void a_processor_too_few(void)
{
  call_with_lock(TEAM - 1, TEAM, masters * TEAM - 1);
  EXPECT(waits() != 0);
}

/* No team is there yet; the next region needs its workers.  */
static void processors_for_next_team(void)
{
  call_with_lock(0, TEAM, masters + TEAM - 1);
  EXPECT_NUMBER(waits(), 0);
}

static void too_few_for_next_team(void)
{
  call_with_lock(0, TEAM, masters + TEAM - 2);
  EXPECT(waits() != 0);
}

/* Threads wait when more processors come: all go on, and none waits again.  */
static uint64_t waits_before;

static void brings_processors(struct actor *self)
{
  go_on(SLEEPS, 100000000);
  processors = 1000;
  waits_before = waits();
  self->questions = 0;
}

static void more_processors(void)
{
  add_actor(brings_processors, 1);
  call_with_lock(0, TEAM, TEAM);
  EXPECT(waits_before != 0 && waits() == waits_before);
}

/* ----------------------------------------------------------------------------- */

static void in_child(void (*test)(void))
{
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    expect_failures = 0;
    test();
    fflush(stdout);
    _exit(expect_failures != 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_NUMBER(status, 0);
}

static void with_masters(void (*test)(void))
{
  static const unsigned counts[] = {2, 8, 100};
  for (unsigned i = 0; i < 3; i++) {
    masters = counts[i];
    in_child(test);
  }
}

static void all_kinds(const char *what, void (*test)(void))
{
  puts(what);
  for (kind = kinds; kind < kinds + sizeof kinds / sizeof kinds[0]; kind++)
    with_masters(test);
}

static void cost_little(void (*test)(void))
{
  static const unsigned counts[] = {2, 8, 100};
  for (unsigned i = 0; i < 3; i++) {
    masters = counts[i];
    ghcomp_settings.no_turns = true;
    in_child(test);
    ghcomp_settings.no_turns = false;
    in_child(test);
    uint64_t gap = elapsed->between / 2 <= GAP_NS ? elapsed->between / 2 : 0, most = elapsed->without_turns + CALLS * (LEAVES_NS + gap);
    printf("%-34s %3u masters: %.3f s, without turns %.3f s, at most %.3f s\n", "", masters, (double)elapsed->with_turns / 1e9,
           (double)elapsed->without_turns / 1e9, (double)most / 1e9);
    EXPECT(elapsed->with_turns <= most);
  }
}

int main(void)
{
  elapsed = mmap(NULL, sizeof *elapsed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  all_kinds("a lock is seen that is not there", lock_seen);
  all_kinds("a lock is suspected that is not there", lock_suspected);
  all_kinds("the same, and no clock can be read", clock_fails);
  spins_for_lock = true;
  all_kinds("a lock is seen", lock_seen);
  all_kinds("a lock is suspected", lock_suspected);
  took = 100000000;
  all_kinds("a lock is seen, and regions take 100 ms", lock_seen);
  took = 0;
  spins_for_lock = false;
  with_masters(nobody_has_a_region);
  with_masters(nobody_has_a_region_at_any_place);
  with_masters(questions_in_vain);
  with_masters(no_lock);
  with_masters(no_lock_but_preparation);
  with_masters(no_lock_but_long_preparation);
  with_masters(no_lock_and_rare_regions);
  with_masters(lock_of_late_masters);
  with_masters(lock_held_elsewhere);
  with_masters(processors_for_all);
  with_masters(a_processor_too_few);
  with_masters(processors_for_next_team);
  with_masters(too_few_for_next_team);
  with_masters(more_processors);
  cost_little(rare_regions);
  cost_little(some_regions);
  cost_little(many_regions);
  return expect_result();
}
