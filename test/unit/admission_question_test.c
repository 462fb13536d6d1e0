/* storey: admission */
/* Turns that begin with a question: how long a thread keeps them, and which questions take one.  */
#include "admission_masters.h"

static void from_the_question_on(void)
{
  pthread_t thread;
  store_relaxed(&standing, ghcomp_admission_now());
  masters[0].turn.region_took = UINT32_MAX; /* not brief */
  ask(0, 4);
  EXPECT_NUMBER(masters[0].turn.kept_threads, 4);
  store_relaxed(&begun, 0);
  thread = start_waiting(2);
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
  thread = start_waiting(2);
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

int main(void)
{
  set_up_masters();
  from_the_question_on();
  next_question_waits();
  late_for_its_turn();
  slow_for_its_turn();
  promised_beside_a_late_one();
  promised_before_a_late_one_begins();
  first_question();
  questions_in_vain();
  places_that_ask();
  return expect_result();
}
