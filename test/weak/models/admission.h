/* Two masters on two processors, with the code of admission and stand-ins for the system.  No
   waiting thread looks by itself after a while here.  */
#include "wait/parking.h"
#define ghcomp_parking_sleep_for(waiter, nanoseconds) ghcomp_parking_sleep(waiter)
#include "admission/admission.c"
#include "admission/queue.c"
#include "admission/payoff.c"
#include "admission/promise.c"
#include "admission/answer.c"
#include "admission/blocked.c"
#include "admission/handover.c"
#include "admission/moment.c"
#include "admission/question.c"
#include "admission/series.c"
#include "admission/share.c"
#include "admission/sharing.c"
#include "admission/slice.c"
#include "admission/turn_wait.c"
#include "made_team.h"
#include "simple_lock.h"

unsigned weak_threads = 2;
static int inside, rounds; /* plain, so that two regions at once are a data race */

unsigned ghcomp_icv_default_threads(void)
{
  return 2;
}

bool ghcomp_machine_thread_runs(int number)
{
  (void)number;
  return true;
}

uint64_t ghcomp_machine_shorten_slice(void)
{
  return 0;
}

void ghcomp_machine_drop_short_slice(void)
{
}

void ghcomp_machine_set_slice(uint64_t nanoseconds)
{
  (void)nanoseconds;
}

bool ghcomp_machine_has_quota(void)
{
  return false;
}

uint64_t ghcomp_machine_thread_computed(int number)
{
  (void)number;
  return 0;
}

uint64_t ghcomp_machine_process_computed(void)
{
  return 0;
}

uint64_t ghcomp_machine_thread_sleeps(void)
{
  return 0;
}

struct counters *ghcomp_stats_first(void)
{
  return NULL;
}

static void expect_nothing_left(int regions)
{
  weak_assert(rounds == regions && load_relaxed_at(0, &queue.taken) == 0);
  weak_assert(load_relaxed_at(0, &queue.first) == NULL && queue.waiting == 0 && kept_turns == 0);
}

static void set_up_masters(void)
{
  make_members(2);
  ghcomp_admission_count_masters(2);
}
