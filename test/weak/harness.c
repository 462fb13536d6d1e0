/* Stand-ins for what the code of a model calls outside the model.  */
#include "base/memory.h"
#include "machine/disturbance.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "settings/env.h"
#include "state/thread.h"
#include "team/stay_awake.h"
#include "team/stay_in_team.h"
#include "wait/patience.h"
#include "wait/waiter.h"

struct settings ghcomp_settings = {.wait_policy = 0};
struct waiter *ghcomp_waiter_self;
struct thread *ghcomp_self_pointer;
unsigned ghcomp_self_number;
const struct crew_kind *ghcomp_crew_kind;
#pragma weak ghcomp_settings

void *ghcomp_memory_get(size_t size) { return weak_alloc(size); }
void *ghcomp_memory_try(size_t size) { return weak_alloc(size); }
void *ghcomp_memory_get_zero(size_t size) { return weak_alloc(size); }
void *ghcomp_memory_get_lines(size_t size) { return weak_alloc(size); }
void *ghcomp_memory_try_lines(size_t size) { return weak_alloc(size); }
void ghcomp_memory_release(void *memory) { weak_free(memory); }

void ghcomp_park_wait(_Atomic uint32_t *word, uint32_t expected)
{
  weak_futex_wait(word, expected);
}

void ghcomp_park_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t nanoseconds)
{
  (void)nanoseconds;
  weak_futex_wait_for(word, expected);
}

bool ghcomp_park_wake(_Atomic uint32_t *word, int count)
{
  weak_futex_wake(word, count);
  return true;
}

/* Parking wakes by it; a model of locks has the code itself.  */
__attribute__((weak)) void ghcomp_lock_wake(_Atomic uint32_t *lock)
{
  ghcomp_park_wake(lock, 1);
}

unsigned weak_processors = 64;
unsigned ghcomp_machine_processors(void) { return weak_processors; }
__attribute__((weak)) int ghcomp_machine_thread(void) { return 1; } /* a model may define these three itself */
struct held ghcomp_machine_hold(void) { return (struct held){0, 0}; }
void ghcomp_machine_let(struct held before) { (void)before; }
void ghcomp_machine_block_signals(uint64_t signals) { (void)signals; }
__attribute__((weak)) void ghcomp_team_resume(struct thread *self) { (void)self; }
__attribute__((weak)) unsigned ghcomp_substrate_host_busy(void) { return 0; }
__attribute__((weak)) unsigned ghcomp_substrate_host_busy_from_outside(void) { return 0; }
__attribute__((weak)) bool ghcomp_stay_awake_slowly(struct thread *self) { return (void)self, false; }
__attribute__((weak)) uint32_t ghcomp_stay_awake_ns(void) { return 1; }
__attribute__((weak)) void ghcomp_stay_awake_before_sleep(struct thread *self) { (void)self; }
__attribute__((weak)) void ghcomp_stay_awake_learn_slowly(struct thread *self) { (void)self; }
__attribute__((weak)) bool ghcomp_stay_in_team_slowly(struct thread *self, const struct team *team) { return (void)self, (void)team, false; }
__attribute__((weak)) void ghcomp_stay_in_team_before_sleep(struct wait *wait) { (void)wait; }
__attribute__((weak)) bool ghcomp_patience_goes_on_slowly(struct patience *patience, struct waiter *self) { return (void)patience, (void)self, false; }
__attribute__((weak)) void ghcomp_patience_before_sleep(struct patience *patience) { (void)patience; }
__attribute__((weak)) void ghcomp_patience_learn_from_length(struct patience *patience) { (void)patience; }
__attribute__((weak)) _Atomic bool ghcomp_substrate_beside_rts;
__attribute__((weak)) uint64_t ghcomp_give_way_due(void) { return 0; }
__attribute__((weak)) uint64_t ghcomp_give_way(void) { return 0; }
__attribute__((weak)) void ghcomp_make_room_for_haskell(struct thread *self) { (void)self; }

int sched_getcpu(void) { return 0; }
