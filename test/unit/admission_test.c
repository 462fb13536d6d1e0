/* storey: admission */
/* Turns: how many threads a region gets, in which order regions run, and that a region which waits
   for a blocked one may run.  The capacity is four.  Haskell threads and the state of blocked
   threads are simulated, and some cases stop the time.  */
#include "admission/admission.h"
#include "admission/queue.h"
#include "base/cycles.h"
#include "base/stats.h"
#include "state/thread.h"
#include "expect.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

static _Atomic uint64_t standing; /* the time, if it stands still; else 0 */

uint64_t ghcomp_admission_now(void)
{
  uint64_t now = load_relaxed(&standing);
  return now != 0 ? now : cycles_now();
}

bool ghcomp_stats_timed;
struct settings ghcomp_settings = {.wait_policy = -1};
static _Atomic unsigned busy;
static _Atomic bool blocked;
static _Atomic uint64_t computed; /* by each thread */

unsigned ghcomp_icv_default_threads(void)
{
  return 4;
}

unsigned ghcomp_machine_processors(void)
{
  return 4;
}

unsigned ghcomp_substrate_host_busy(void)
{
  return load_relaxed(&busy);
}

bool ghcomp_machine_thread_runs(int number)
{
  (void)number;
  return !load_relaxed(&blocked);
}

uint64_t ghcomp_machine_thread_computed(int number)
{
  (void)number;
  return load_relaxed(&computed);
}

/* Threads that find the queue's lock held ask for their crew: they have none.  */
static struct crew *no_crew(struct waiter *self)
{
  (void)self;
  return NULL;
}

static const struct crew_kind no_crews = {.of = no_crew};

static struct thread masters[6];
static struct team team = {.size = 1, .within_processors = true, .counted_threads = 3};
static struct member member = {.team = &team};

struct counters *ghcomp_stats_first(void)
{
  return &masters[0].waiter.counters;
}

static void make_masters(void)
{
  for (int i = 0; i < 6; i++) {
    masters[i].kernel_thread = i + 1;
    masters[i].member = &member;
    masters[i].waiter.counters.next = i < 5 ? &masters[i + 1].waiter.counters : NULL;
  }
}

static unsigned enter(unsigned master, unsigned wanted, bool exact)
{
  masters[master].turn.brief_regions_left = 0; /* never brief */
  struct admitted got = ghcomp_admission_enter(&masters[master], wanted, exact, false);
  EXPECT_NUMBER(got.counted, got.threads);
  return got.threads;
}

static void leave(unsigned master, unsigned counted)
{
  ghcomp_admission_leave(&masters[master], counted);
}

/* ------------------------------------------------------------ how many threads */

static void alone(void)
{
  struct admitted got = ghcomp_admission_enter(&masters[0], 4, true, false);
  EXPECT_NUMBER(got.threads, 4);
  EXPECT_NUMBER(got.counted, 0); /* there is no other master */
}

/* A master asks, and then another one comes: the first one has a turn for the regions of its answer.  */
static void not_alone_any_more(void)
{
  static const char place;
  ghcomp_admission_ask(&masters[0], 4, &place);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
  ghcomp_admission_count_masters(4);
  ghcomp_admission_promise_keep_for_lone(&masters[1]);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  struct admitted got = ghcomp_admission_enter(&masters[0], 4, true, true);
  EXPECT_NUMBER(got.counted, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  ghcomp_admission_leave(&masters[0], 4);
  ghcomp_admission_promise_keep_for_lone(&masters[1]); /* only once */
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
}

static void sizes(void)
{
  EXPECT_NUMBER(enter(0, 4, false), 4);
  leave(0, 4);
  EXPECT_NUMBER(enter(0, 3, true), 3);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 1);
  EXPECT_NUMBER(enter(1, 4, false), 1); /* only one is free */
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 1);
  leave(0, 3);
  EXPECT_NUMBER(enter(2, 3, true), 3); /* both regions fit */
  leave(1, 1);
  leave(2, 3);
  EXPECT_NUMBER(enter(0, 9, true), 9); /* more than the capacity, because no other region runs */
  EXPECT_NUMBER(ghcomp_admission_reduce(9, 2), 2);
  EXPECT_NUMBER(ghcomp_admission_reduce(2, 3), 2);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 2);
  leave(0, 2);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

static void beside_haskell(void)
{
  static const unsigned room[] = {4, 3, 2, 2, 2}; /* by the number of Capabilities that compute */
  for (unsigned i = 0; i < 5; i++) {
    store_relaxed(&busy, i);
    EXPECT_NUMBER(ghcomp_admission_queue_available(), room[i]);
    EXPECT_NUMBER(enter(0, 4, false), room[i]);
    leave(0, room[i]);
    EXPECT_NUMBER(enter(0, 4, true), 4);
    leave(0, 4);
  }
  store_relaxed(&busy, 0);
}

/* A few regions that may be smaller do not wait while Haskell threads compute.  */
static void small_ones_beside_haskell(void)
{
  store_relaxed(&busy, 1);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  for (unsigned i = 1; i <= 4; i++)
    EXPECT_NUMBER(enter(i, 4, false), 1);
  EXPECT(!ghcomp_admission_queue_begin_beside_haskell(&masters[5])); /* as many run already as there are processors */
  leave(1, 1);
  EXPECT_NUMBER(enter(5, 2, false), 1);
  for (unsigned i = 2; i <= 5; i++)
    leave(i, 1);
  store_relaxed(&busy, 0);
  EXPECT(!ghcomp_admission_queue_begin_beside_haskell(&masters[5])); /* no Haskell thread computes */
  leave(0, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* ----------------------------------------------------------------------- order */

static _Atomic unsigned begun, order[6];

static void *master_runs(void *argument)
{
  unsigned master = (unsigned)(uintptr_t)argument;
  ghcomp_self_becomes(&masters[master]);
  unsigned threads = enter(master, 4, master % 2 == 0);
  EXPECT_NUMBER(threads, 4);
  store_relaxed(&order[add_seq_cst(&begun, 1)], master);
  leave(master, threads);
  return NULL;
}

static bool waits(unsigned master)
{
  return load_seq_cst(&masters[master].waiter.park) == PARKED;
}

static void in_order(void)
{
  pthread_t threads[6];
  store_relaxed(&standing, ghcomp_admission_now()); /* no waiting thread looks for blocked ones */
  EXPECT_NUMBER(enter(0, 4, true), 4);
  store_relaxed(&begun, 0);
  for (uintptr_t i = 1; i < 6; i++) {
    pthread_create(&threads[i], NULL, master_runs, (void *)i);
    while (!waits((unsigned)i))
      sched_yield();
  }
  EXPECT_NUMBER(load_relaxed(&begun), 0);
  leave(0, 4);
  for (unsigned i = 1; i < 6; i++)
    pthread_join(threads[i], NULL);
  for (unsigned i = 0; i < 5; i++)
    EXPECT_NUMBER(load_relaxed(&order[i]), i + 1);
  store_relaxed(&standing, 0);
}

/* The region that has the turn does not end, and its threads sleep.  */
static void past_a_blocked_one(void)
{
  pthread_t thread;
  EXPECT_NUMBER(enter(0, 4, true), 4);
  store_relaxed(&begun, 0);
  store_relaxed(&blocked, true);
  pthread_create(&thread, NULL, master_runs, (void *)(uintptr_t)2);
  pthread_join(thread, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(enter(1, 4, true), 4); /* later regions do not wait */
  leave(1, 4);
  store_relaxed(&blocked, false);
  leave(0, 4);
}

/* The region computes and does not end: another region may have to end it.  */
static void past_one_that_spins(void)
{
  pthread_t thread;
  ghcomp_admission_after_fork(); /* the queue is closed again */
  ghcomp_admission_count_masters(6);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  store_relaxed(&begun, 0);
  uint64_t waited = load_relaxed(&masters[4].waiter.counters.count[STAT_TURNS_WAITED]);
  pthread_create(&thread, NULL, master_runs, (void *)(uintptr_t)4);
  pthread_join(thread, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(load_relaxed(&masters[4].waiter.counters.count[STAT_TURNS_WAITED]), waited + 1);
  leave(0, 4);
}

/* The more regions run at once, the longer the next one waits, up to a limit.  */
static void ever_later_beside_others(void)
{
  static const unsigned milliseconds[] = {6, 24, 96, 200, 200};
  for (unsigned i = 0; i < 5; i++) {
    ghcomp_admission_queue_take(&masters[i], 4);
    EXPECT_NUMBER(ghcomp_admission_longest_of_region(), milliseconds[i] * 1000000);
  }
  for (unsigned i = 0; i < 5; i++)
    ghcomp_admission_queue_put_back(&masters[i], 4);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* No thread computes at this moment, but one is about to: the queue stays closed.  */
static void not_past_one_about_to_run(void)
{
  store_relaxed(&blocked, true);
  store_relaxed(&masters[1].computing_thread, 1);
  EXPECT(!ghcomp_admission_somebody_computes());
  add_relaxed(&ghcomp_admission_starting, 1); /* a thread has its turn, and is not awake yet */
  EXPECT(ghcomp_admission_somebody_computes());
  sub_relaxed(&ghcomp_admission_starting, 1);
  store_relaxed(&masters[1].computing_thread, ABOUT_TO_COMPUTE); /* it leaves, or its thread is being created */
  EXPECT(ghcomp_admission_somebody_computes());
  store_relaxed(&masters[1].computing_thread, 0);
  store_relaxed(&blocked, false);
}

/* A forked child keeps nothing of threads that waited, nor of a turn that a master kept.  */
static void forked(void)
{
  EXPECT_NUMBER(enter(0, 4, true), 4);
  EXPECT_NUMBER(ghcomp_admission_queue_arrive(&masters[1], 4, true, false), 0);
  store_relaxed(&ghcomp_admission_promise_leaving_until, 1);
  EXPECT(ghcomp_admission_passes_turn(&masters[0]));
  ghcomp_admission_after_fork();
  ghcomp_admission_count_masters(6);
  EXPECT(!ghcomp_admission_passes_turn(&masters[0]));
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_promise_leaving_until), 0);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  masters[0].turn.region_began = 0;
}

static void ends_in_a_region(void)
{
  EXPECT_NUMBER(enter(0, 3, true), 3);
  masters[0].turn.counted_team = &team;
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* ------------------------------------------------------------------- questions */

static void forget_questions(unsigned master)
{
  memset(masters[master].turn.questions, 0, sizeof masters[master].turn.questions);
  masters[master].turn.questions_forgotten = 0;
}

static uint64_t time_passes(unsigned ns)
{
  store_relaxed(&standing, ghcomp_admission_now() + cycles_in(ns));
  return load_relaxed(&standing);
}

/* From a place in the program.  */
static void ask_at(unsigned master, const void *caller)
{
  masters[master].turn.brief_regions_left = 0; /* never brief */
  ghcomp_admission_ask(&masters[master], 4, caller);
}

static void ask(unsigned master, unsigned threads)
{
  masters[master].turn.brief_regions_left = 0; /* never brief */
  ghcomp_admission_ask(&masters[master], threads, &masters);
}

/* A master has the turn from its question until a moment after the region.  */
static void from_the_question_on(void)
{
  pthread_t thread;
  store_relaxed(&standing, ghcomp_admission_now());
  masters[0].turn.region_took = UINT32_MAX; /* not brief */
  ask(0, 4);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
  store_relaxed(&begun, 0);
  pthread_create(&thread, NULL, master_runs, (void *)(uintptr_t)2);
  while (!waits(2))
    sched_yield();
  ask(0, 4); /* it still has the turn */
  EXPECT_NUMBER(enter(0, 4, true), 4);
  EXPECT_NUMBER(load_relaxed(&begun), 0);
  leave(0, 4);
  EXPECT_NUMBER(load_relaxed(&begun), 0);
  add_relaxed(&computed, LEAVING_NS);
  store_relaxed(&standing, 0);
  pthread_join(thread, NULL); /* although no question follows */
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* The next question of the same thread waits behind other waiting threads.  */
static void next_question_waits(void)
{
  pthread_t thread;
  store_relaxed(&standing, ghcomp_admission_now());
  masters[0].turn.region_took = UINT32_MAX; /* not brief */
  ask(0, 4);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  store_relaxed(&begun, 0);
  pthread_create(&thread, NULL, master_runs, (void *)(uintptr_t)2);
  while (!waits(2))
    sched_yield();
  leave(0, 4);
  ghcomp_self_becomes(&masters[0]);
  ask(0, 4);
  EXPECT_NUMBER(load_seq_cst(&begun), 1);
  pthread_join(thread, NULL);
  store_relaxed(&standing, 0);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* A master that does not begin in time loses the turn.  It may still begin then, because others may
   wait for what it holds.  */
static void late_for_its_turn(void)
{
  ask(0, 4);
  masters[0].turn.kept_until = 1;
  add_relaxed(&computed, PROMISE_NS);
  EXPECT_NUMBER(enter(1, 4, true), 4);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  leave(1, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 1);
  ghcomp_admission_leave(&masters[0], 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* It was late because it got no processor, or was blocked.  */
static void slow_for_its_turn(void)
{
  store_relaxed(&standing, ghcomp_admission_now());
  forget_questions(0);
  ask(0, 4);
  masters[0].turn.kept_until = ghcomp_admission_now() - 1;
  add_relaxed(&computed, PROMISE_NS - 1);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), false);
  store_relaxed(&blocked, true);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), false);
  store_relaxed(&standing, ghcomp_admission_now() + cycles_in(PROMISE_BLOCKED_NS));
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), true);
  store_relaxed(&blocked, false);
  masters[0].turn.promise_end = 0;
  ask(0, 4);
  masters[0].turn.kept_until = ghcomp_admission_now();
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now() + cycles_in(PROMISE_LONGEST_NS)), false);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now() + cycles_in(PROMISE_LONGEST_NS) + 1), true);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  ghcomp_admission_abandon(&masters[0]);
  store_relaxed(&standing, 0);
}

/* A master may be late because it waits for what an earlier late one holds.  Its promise stays
   until that one's region ends.  */
static void promised_beside_a_late_one(void)
{
  forget_questions(0);
  forget_questions(1);
  ask(0, 4);
  masters[0].turn.kept_until = 1;
  add_relaxed(&computed, PROMISE_NS);
  ask(1, 4);
  EXPECT_NUMBER(masters[1].turn.kept_threads, 4);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  masters[1].turn.kept_until = 1;
  add_relaxed(&computed, PROMISE_NS);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), false);
  masters[0].turn.region_took = 0; /* brief: its turn ends at once */
  masters[0].turn.region_was_promised = false;
  leave(0, 4);
  /* It goes on now, and its time begins again.  */
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), false);
  EXPECT(masters[1].turn.kept_until != 1);
  EXPECT_NUMBER(masters[1].turn.kept_threads, 4);
  masters[1].turn.kept_until = 1;
  add_relaxed(&computed, PROMISE_NS);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), true);
  ghcomp_admission_abandon(&masters[1]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* A master that has lost its turn and has not begun yet may hold a lock.  So another one that computes
   without a region is not late.  */
static void promised_before_a_late_one_begins(void)
{
  store_relaxed(&standing, ghcomp_admission_now());
  forget_questions(0);
  forget_questions(1);
  ask(0, 4);
  masters[0].turn.kept_until = 1;
  add_relaxed(&computed, PROMISE_NS);
  ask(1, 4);
  EXPECT(masters[0].turn.is_late);
  masters[1].turn.kept_until = ghcomp_admission_now() - 1;
  add_relaxed(&computed, PROMISE_NS);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), false);
  ghcomp_admission_abandon(&masters[0]); /* it will not begin */
  EXPECT(!masters[0].turn.is_late);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), false); /* its time begins again */
  masters[1].turn.kept_until = ghcomp_admission_now() - 1;
  add_relaxed(&computed, PROMISE_NS);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), true);
  ghcomp_admission_abandon(&masters[1]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* A library prepares its memory in its first call.  */
static void first_question(void)
{
  store_relaxed(&standing, ghcomp_admission_now());
  forget_questions(0);
  masters[0].turn.has_kept = false;
  ask(0, 4);
  masters[0].turn.kept_until = ghcomp_admission_now() - 1;
  add_relaxed(&computed, PROMISE_FIRST_NS - 1);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), false);
  add_relaxed(&computed, 1);
  EXPECT_NUMBER(ghcomp_admission_promise_revoke_late(ghcomp_admission_now()), true);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* ----------------------------------------------- several regions after one question */

static void compute_answered(unsigned master)
{
  masters[master].turn.brief_regions_left = 0; /* never brief */
  EXPECT_NUMBER(ghcomp_admission_enter(&masters[master], 4, true, true).threads, 4);
  ghcomp_admission_passes_turn(&masters[master]);
  leave(master, 4);
}

static void several_regions_of_an_answer(void)
{
  static const char place;
  time_passes(0);
  forget_questions(0);
  masters[0].turn.gap = 0;
  for (unsigned answer = 0; answer < 2; answer++) {
    masters[0].turn.left = 0;
    ask_at(0, &place);
    for (unsigned region = 1; region <= 3; region++) {
      compute_answered(0);
      EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
      /* At first the number is not known.  */
      EXPECT_NUMBER(masters[0].turn.kept_leaves, answer == 1 && region == 3);
    }
  }
  /* A turn that was lost between two regions: others may spin for the lock.  */
  masters[0].turn.kept_until = 1;
  add_relaxed(&computed, PROMISE_NS);
  EXPECT_NUMBER(enter(1, 4, true), 4);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
  compute_answered(0);
  leave(1, 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* The regions of an answer end some time, although no question follows.  */
static void end_of_an_answer(void)
{
  static const char place;
  time_passes(0);
  forget_questions(0);
  masters[0].turn.left = 0;
  ask_at(0, &place);
  compute_answered(0);
  time_passes(2000000000);
  compute_answered(0);
  EXPECT(masters[0].turn.kept_leaves); /* the turn does not wait for more */
  EXPECT(masters[0].turn.region_was_promised);
  add_relaxed(&computed, 10000000000);
  compute_answered(0);
  EXPECT(!masters[0].turn.region_was_promised);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

static void questions_in_vain(void)
{
  forget_questions(0);
  ask(0, 4);
  masters[0].turn.promise_end = 1;
  for (unsigned plain = 0; plain < 2; plain++) {
    ask(0, 4);
    EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
    EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  }
  ask(0, 4);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
  EXPECT_NUMBER(enter(0, 2, true), 2); /* fewer than promised */
  EXPECT_NUMBER(masters[0].turn.questions[0].without_region, 0);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 2);
  leave(0, 2);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
}

/* Questions of one place lead to no region.  Those of another place take a turn all the same, also
   when a question in vain came after the last region.  */
static void places_that_ask(void)
{
  static const char library, other;
  time_passes(0);
  forget_questions(0);
  masters[0].turn.left = 0;
  for (unsigned i = 0; i < 20; i++) {
    ask_at(0, &library);
    EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
    masters[0].turn.region_took = UINT32_MAX; /* not brief */
    EXPECT_NUMBER(enter(0, 4, true), 4);
    leave(0, 4);
    time_passes(500000);
    add_relaxed(&computed, 500000);
    ask_at(0, &other);
    time_passes(500000);
    add_relaxed(&computed, 500000);
  }
  EXPECT(masters[0].turn.questions[0].caller == (uint32_t)(uintptr_t)&other);
  EXPECT_NUMBER(masters[0].turn.questions[0].without_region, 4); /* the rounds 0, 3, 8, 17 */
  EXPECT(masters[0].turn.questions[1].caller == 0); /* the library needs no memory */
  ghcomp_admission_abandon(&masters[0]);
  /* One place more than there is room for: the first one is forgotten, and begins again.  */
  static const char others[QUESTIONS];
  for (unsigned i = 0; i < QUESTIONS; i++) {
    ask_at(0, &others[i]);
    ghcomp_admission_abandon(&masters[0]);
  }
  EXPECT(masters[0].turn.questions[0].caller == (uint32_t)(uintptr_t)&others[QUESTIONS - 1]);
  EXPECT_NUMBER(masters[0].turn.questions[0].without_region, 1);
  /* A region follows after all.  */
  masters[0].turn.questions[0].without_turn = 0;
  ask_at(0, &others[QUESTIONS - 1]);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  leave(0, 4);
  EXPECT(masters[0].turn.questions[0].caller == 0);
  ghcomp_admission_abandon(&masters[0]);
  forget_questions(0);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* ------------------------------------------------------- several regions in a turn */

/* A region of a promised turn that takes so long.  Returns whether the turn is for another thread
   afterwards.  */
static bool compute(unsigned master, unsigned ns)
{
  masters[master].turn.region_took = UINT32_MAX; /* not brief */
  EXPECT_NUMBER(enter(master, 4, true), 4);
  time_passes(ns);
  bool passes = ghcomp_admission_passes_turn(&masters[master]);
  leave(master, 4);
  return passes;
}

static pthread_t begin_to_wait(unsigned master)
{
  pthread_t thread;
  store_relaxed(&begun, 0);
  pthread_create(&thread, NULL, master_runs, (void *)(uintptr_t)master);
  while (!waits(master))
    sched_yield();
  return thread;
}

/* The master's next questions come so long after its regions.  */
static void learn_gap(unsigned master, unsigned ns)
{
  masters[master].turn.gap = 0;
  masters[master].turn.left = 0;
  forget_questions(master);
  ask(master, 4);
  compute(master, 300000);
  time_passes(ns);
  ask(master, 4);
}

static void end_series(unsigned master, pthread_t waiting)
{
  ghcomp_admission_abandon(&masters[master]);
  pthread_join(waiting, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* A thread that soon asks again goes on with its turn, although another waits, but not for more than
   2 ms.  */
static void several_regions(void)
{
  time_passes(0);
  learn_gap(0, 40000);
  pthread_t waiting = begin_to_wait(2);
  masters[0].turn.just_waited = true;
  unsigned regions = 0;
  while (!compute(0, 300000)) {
    time_passes(40000);
    ask(0, 4);
    EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
    EXPECT(!masters[0].turn.just_waited);
    EXPECT_NUMBER(load_relaxed(&begun), 0);
    regions++;
  }
  EXPECT_NUMBER(regions, 5); /* 6 * 340 µs > 2 ms */
  ghcomp_self_becomes(&masters[0]);
  ask(0, 4);
  EXPECT_NUMBER(load_seq_cst(&begun), 1);
  end_series(0, waiting);
}

/* A thread that did not ask again soon the last time passes its turn on.  */
static void one_region(void)
{
  time_passes(0);
  learn_gap(0, 500000);
  pthread_t waiting = begin_to_wait(2);
  EXPECT(compute(0, 300000));
  ghcomp_self_becomes(&masters[0]);
  end_series(0, waiting);
}

/* A thread that was expected to ask again does not.  A worker notices.  */
static void series_that_ends_early(void)
{
  time_passes(0);
  learn_gap(0, 40000);
  EXPECT_NUMBER(ghcomp_admission_guard(), 0); /* nobody waits */
  pthread_t waiting = begin_to_wait(2);
  uint64_t sleeps = ghcomp_admission_guard();
  EXPECT(sleeps > PROMISE_NS - 100 && sleeps < PROMISE_NS + 100); /* the region has not begun */
  EXPECT(!compute(0, 300000));
  sleeps = ghcomp_admission_guard();
  EXPECT(sleeps > LEAVING_NS + 80000 - 100 && sleeps < LEAVING_NS + 80000 + 100);
  time_passes((unsigned)sleeps + 1);
  EXPECT_NUMBER(ghcomp_admission_guard(), PROMISE_BLOCKED_NS); /* it has no processor */
  EXPECT_NUMBER(load_relaxed(&begun), 0);
  add_relaxed(&computed, 2 * PROMISE_NS);
  EXPECT_NUMBER(ghcomp_admission_guard(), 0);
  pthread_join(waiting, NULL);
  EXPECT_NUMBER(load_relaxed(&begun), 1);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 0);
  forget_questions(0);
  ask(0, 4); /* it has lost the turn, and takes the next one */
  EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* While a series lasts, or is expected of a thread that has its turn now, waiting threads need not
   look.  */
static void waiting_for_a_series(void)
{
  uint64_t began = time_passes(0);
  learn_gap(0, 40000);
  EXPECT(!compute(0, 300000));
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), masters[0].turn.series_end);
  EXPECT(masters[0].turn.series_end >= began + cycles_in(SERIES_NS));
  ask(0, 4);
  masters[0].turn.series_end = began; /* it ends with this region */
  EXPECT_NUMBER(enter(0, 4, true), 4);
  EXPECT(!ghcomp_admission_passes_turn(&masters[0])); /* nobody waits */
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), 0);
  leave(0, 4);
  ghcomp_admission_abandon(&masters[0]);
  masters[1].turn.in_question = true;
  masters[1].turn.gap = 0;
  ghcomp_admission_series_expect(&masters[1]);
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), 0);
  masters[1].turn.gap = (uint32_t)cycles_in(40000);
  ghcomp_admission_series_expect(&masters[1]);
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), ghcomp_admission_now() + cycles_in(SERIES_NS));
  masters[1].turn.in_question = false; /* a region that did not ask */
  ghcomp_admission_series_expect(&masters[1]);
  EXPECT_NUMBER(load_relaxed(&ghcomp_admission_series_until), 0);
  masters[1].turn.gap = 0;
  EXPECT_NUMBER(ghcomp_admission_queue_available(), 4);
  store_relaxed(&standing, 0);
}

/* It asks for another number, begins a region without a question, or ends.  */
static void series_that_changes(void)
{
  time_passes(0);
  learn_gap(0, 40000);
  EXPECT(!compute(0, 300000));
  ask(0, 3);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 3);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 3);
  ghcomp_admission_abandon(&masters[0]);
  learn_gap(0, 40000);
  EXPECT(!compute(0, 300000));
  EXPECT_NUMBER(enter(0, 4, true), 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 4);
  leave(0, 4);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
  learn_gap(0, 40000);
  EXPECT_NUMBER(enter(0, 4, true), 4);
  masters[0].turn.counted_team = &team;
  team.counted_threads = 4;
  ghcomp_admission_abandon(&masters[0]);
  EXPECT_NUMBER(ghcomp_admission_queue_taken(), 0);
  store_relaxed(&standing, 0);
}

int main(void)
{
  ghcomp_crew_kind = &no_crews;
  make_masters();
  ghcomp_admission_count_masters(1);
  alone();
  not_alone_any_more();
  ghcomp_admission_count_masters(1);
  sizes();
  beside_haskell();
  small_ones_beside_haskell();
  in_order();
  past_a_blocked_one();
  past_one_that_spins();
  ever_later_beside_others();
  not_past_one_about_to_run();
  forked();
  ends_in_a_region();
  from_the_question_on();
  next_question_waits();
  late_for_its_turn();
  slow_for_its_turn();
  promised_beside_a_late_one();
  promised_before_a_late_one_begins();
  first_question();
  several_regions_of_an_answer();
  end_of_an_answer();
  questions_in_vain();
  places_that_ask();
  several_regions();
  one_region();
  series_that_ends_early();
  series_that_changes();
  waiting_for_a_series();
  return expect_result();
}
