/* storey: wait */
/* Waiting alone, without teams.  The threads of a simulated crew hand a number on, one after the
   other.  Each waits for its turn in ghcomp_wait: spinning, yielding, or asleep.  The waits execute
   other work meanwhile, and a sleep that ends for another reason does not end the wait.  Waits that
   must not sleep are given up, or continue without sleep.  If another thread got the processor for
   long in a yield, the next waits do not yield; nor do waits while regions of several masters run.  */
#include "expect.h"

#include "wait/loop.h"
#include "wait/running.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 4000 };

static struct waiter waiters[THREADS];
static struct crew crew;
static _Atomic uint64_t turn;
static _Atomic unsigned done_meanwhile;

static unsigned size(const struct crew *of)
{
  (void)of;
  return THREADS;
}

static struct waiter *waiter(const struct crew *of, unsigned number)
{
  (void)of;
  return number != 1 ? &waiters[number] : NULL; /* its waker knows its waiter already */
}

static bool has_processors(const struct crew *of)
{
  (void)of;
  return true;
}

static struct crew *of(struct waiter *self)
{
  (void)self;
  return &crew;
}

static void suspect(struct waiter *self, const struct crew *suspected)
{
  (void)self, (void)suspected;
}

static bool has_other_on(const struct crew *of, const struct waiter *self, int processor)
{
  (void)of, (void)self, (void)processor;
  return false;
}

static const struct crew_kind crews = {size, waiter, has_processors, of, suspect, has_other_on};

struct turn_wait {
  struct wait wait;
  uint64_t value;
  unsigned others; /* other work that is left */
};

static bool has_come(struct wait *wait)
{
  return load_seq_cst(&turn) == ((struct turn_wait *)wait)->value; /* pairs with hand_on */
}

static bool do_other(struct wait *wait)
{
  struct turn_wait *t = (struct turn_wait *)wait;
  if (t->others == 0)
    return false;
  t->others--;
  add_relaxed(&done_meanwhile, 1);
  return true;
}

static const struct wait_kind until_turn = {.is_over = has_come, .do_other = do_other};

static void hand_on(uint64_t next)
{
  swap_seq_cst(&turn, next);
  ghcomp_parking_wake_crew(&crew);
  ghcomp_parking_wake(&waiters[1]);
}

static void *take_turns(void *number)
{
  struct waiter *self = &waiters[(uintptr_t)number];
  ghcomp_waiter_self = self;
  for (uint64_t round = 0; round < ROUNDS; round++) {
    struct turn_wait t = {{.self = self, .crew = &crew}, round * THREADS + (uintptr_t)number, round % 2};
    ghcomp_wait(&until_turn, &t.wait);
    EXPECT_NUMBER(load_relaxed(&turn), t.value);
    hand_on(t.value + 1);
  }
  return NULL;
}

/* `policy`: see ghcomp_parking_configure.  */
static void run(int policy)
{
  pthread_t threads[THREADS];
  ghcomp_parking_configure(policy, NULL);
  store_relaxed(&turn, 0);
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, take_turns, (void *)i);
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  EXPECT_NUMBER(load_relaxed(&turn), THREADS * ROUNDS);
  EXPECT_NUMBER(load_relaxed(&crew.parked), 0);
  for (unsigned i = 0; i < THREADS; i++)
    EXPECT_NUMBER(load_relaxed(&waiters[i].park), AWAKE);
}

static uint64_t counted(enum stat stat)
{
  uint64_t all = 0;
  for (unsigned i = 0; i < THREADS; i++)
    all += load_relaxed(&waiters[i].counters.count[stat]);
  return all;
}

/* ------------------------------------------------------------ waits without sleep */

static unsigned questions; /* is_wanted is true after that many calls */

static bool is_wanted(struct wait *wait)
{
  (void)wait;
  return questions-- == 0;
}

static struct spin for_ever(struct wait *wait)
{
  struct spin w = ghcomp_parking_begin(wait->self, NULL);
  w.budget = UINT32_MAX;
  w.crowded = false;
  return w;
}

static struct spin spent_at_once(struct wait *wait)
{
  return (struct spin){.self = wait->self, .crowded = true, .pauses_or_yields = 1000};
}

static const struct wait_kind until_wanted = {.is_over = has_come, .begin_spin = for_ever, .is_wanted = is_wanted};
static const struct wait_kind for_a_while = {.is_over = has_come, .when_spent = THEN_GIVE_UP};
static const struct wait_kind on_and_on = {.is_over = has_come, .begin_spin = spent_at_once, .when_spent = THEN_SPIN};

static void *hand_on_to_100(void *nobody)
{
  for (uint64_t value = 1; value <= 100; value++)
    hand_on(value);
  return nobody;
}

static void wait_without_sleep(int policy)
{
  ghcomp_parking_configure(policy, NULL);
  store_relaxed(&turn, 0);
  struct turn_wait never = {{.self = &waiters[0]}, 100, 0}, now = {{.self = &waiters[0]}, 0, 0};
  questions = 1000;
  EXPECT(!ghcomp_wait(&until_wanted, &never.wait));
  EXPECT_NUMBER(questions, UINT_MAX); /* one question before each round, and no further one */
  questions = 0;
  EXPECT(!ghcomp_wait(&until_wanted, &never.wait));
  EXPECT(ghcomp_wait(&until_wanted, &now.wait)); /* a condition that is true is not given up */
  EXPECT(!ghcomp_wait(&for_a_while, &never.wait));
  EXPECT(ghcomp_wait(&for_a_while, &now.wait));
  struct wait nobody = {0};
  struct turn_wait unknown = {nobody, 100, 0}; /* a thread that the runtime does not know */
  EXPECT(!ghcomp_wait(&for_a_while, &unknown.wait));
  pthread_t other;
  pthread_create(&other, NULL, hand_on_to_100, NULL);
  EXPECT(ghcomp_wait(&on_and_on, &unknown.wait));
  pthread_join(other, NULL);
}

/* ---------------------------------------------------------------- long yields */

/* How often a wait whose condition stays false yields before it would sleep.  */
static uint64_t yields_of_a_wait(bool active)
{
  ghcomp_parking_block_after(active ? PARKING_NEVER : PARKING_USUAL);
  struct turn_wait never = {{.self = &waiters[0]}, UINT64_MAX, 0};
  uint64_t before = counted(STAT_YIELDS);
  EXPECT(!ghcomp_wait(&for_a_while, &never.wait));
  return counted(STAT_YIELDS) - before;
}

static void *compute(void *until)
{
  while (!load_relaxed((_Atomic bool *)until))
    ;
  return until;
}

static cpu_set_t all_processors;

static void stay_on_one_processor(void)
{
  cpu_set_t one;
  sched_getaffinity(0, sizeof all_processors, &all_processors);
  CPU_ZERO(&one);
  CPU_SET((unsigned)sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
}

/* This thread shares a processor with one that computes, so a yield lasts until the other's time
   slice ends.  */
static void yield_for_long(void)
{
  _Atomic bool enough = false;
  pthread_t other;
  stay_on_one_processor();
  waiters[0].sleeps_left = 0;
  pthread_create(&other, NULL, compute, &enough);
  for (int i = 0; waiters[0].sleeps_left == 0 && i < 1000; i++)
    yields_of_a_wait(false);
  EXPECT(waiters[0].sleeps_left >= 10);
  store_relaxed(&enough, true);
  pthread_join(other, NULL);
  sched_setaffinity(0, sizeof all_processors, &all_processors);
}

/* The same with another process.  */
static void yield_to_another_program(void)
{
  stay_on_one_processor();
  pid_t other = fork();
  if (other == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that is stopped leaves nothing behind */
    compute(&(_Atomic bool){false});
  }
  EXPECT(other > 0);
  if (other < 0) /* kill(-1) would reach every process */
    return;
  waiters[0].sleeps_left = 0;
  for (int i = 0; waiters[0].sleeps_left == 0 && i < 1000; i++)
    yields_of_a_wait(false);
  EXPECT(waiters[0].sleeps_left >= 10);
  kill(other, SIGKILL);
  waitpid(other, NULL, 0);
  sched_setaffinity(0, sizeof all_processors, &all_processors);
}

static void learn_from_yields(void)
{
  ghcomp_parking_awake(1 << 20);
  yield_for_long();
  EXPECT_NUMBER(yields_of_a_wait(false), 0);
  waiters[0].sleeps_left = 0;
  EXPECT(yields_of_a_wait(false) > 0);
  yield_to_another_program();
  EXPECT_NUMBER(yields_of_a_wait(false), 0);
  waiters[0].sleeps_left = 1;
  EXPECT(yields_of_a_wait(true) > 0); /* the active policy yields */
  EXPECT_NUMBER(waiters[0].sleeps_left, 1);
  EXPECT_NUMBER(yields_of_a_wait(false), 0);
  EXPECT(yields_of_a_wait(false) > 0);
  ghcomp_parking_awake(-(1 << 20));
}

/* Where regions of several masters run, a yield would cost the thread a time slice: it spins briefly, and sleeps.  */
static void no_yields_beside_others(void)
{
  ghcomp_parking_reset_crowd();
  for (unsigned crowded = 0; crowded < 2; crowded++) {
    waiters[0].shares_processor = true; /* otherwise a thread that is not in a crowd does not yield */
    waiters[0].sleeps_left = 0;
    EXPECT(yields_of_a_wait(false) > 0);
    ghcomp_running_begin(2);
    waiters[0].shares_processor = true;
    waiters[0].sleeps_left = 0; /* another program may have made the last yield long */
    EXPECT(yields_of_a_wait(false) > 0); /* one region */
    ghcomp_running_begin(2);
    waiters[0].shares_processor = true;
    EXPECT_NUMBER(yields_of_a_wait(false), 0);
    EXPECT(crowded == 0 || yields_of_a_wait(true) > 0); /* the active policy */
    ghcomp_running_end(2);
    ghcomp_running_end(2);
    ghcomp_parking_awake(1 << 20);
  }
  ghcomp_parking_reset_crowd();
}

int main(void)
{
  ghcomp_crew_kind = &crews;
  ghcomp_parking_awake(THREADS - 1);
  run(-1);
  run(0); /* threads sleep at once */
  EXPECT(counted(STAT_SLEEPS) > 0 && counted(STAT_WAKES) > 0);
  EXPECT(load_relaxed(&done_meanwhile) > 0);
  uint64_t sleeps = counted(STAT_SLEEPS);
  wait_without_sleep(-1);
  wait_without_sleep(0);
  EXPECT_NUMBER(counted(STAT_SLEEPS), sleeps);
  learn_from_yields();
  no_yields_beside_others();
  return expect_result();
}
