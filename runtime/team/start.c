/* What happens when the library is loaded, and in a forked child.

   Loading reads the environment and does nothing else: it starts no thread and no RTS, and
   allocates nothing that a program without regions would pay for.  An initialiser that runs earlier
   and meets the runtime reads the environment itself.  */
#include "team/thread.h"

#include "base/message.h"
#include "base/stats.h"
#include "machine/disturbance.h"
#include "machine/process.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "settings/env.h"
#include "settings/icv.h"
#include "state/thread.h"
#include "team/helper_number.h"
#include "team/pool.h"
#include "team/team_wait.h"
#include "threads/substrate.h"
#include "wait/lock.h"
#include "wait/parking.h"

/* The child has only the calling thread: no worker, and no RTS.  It starts its own when it needs
   them.  This function must be async-signal-safe, and is.  */
static void in_child(void)
{
  ghcomp_substrate_after_fork();
  ghcomp_machine_forget();
  ghcomp_machine_only_thread();
  ghcomp_lock_after_fork();
  ghcomp_pool_after_fork();
  ghcomp_worker_name_after_fork(ghcomp_self_pointer);
  ghcomp_thread_after_fork();
}

static void watch_forks(void)
{
  ghcomp_machine_in_forked_child(in_child);
}

/* From the library's loading on, because a thread may hold one of the runtime's locks, such as that of
   the allocators, before any thread has read the environment.  */
static void watch_forks_once(void)
{
  static struct once once = ONCE_INIT;
  ghcomp_machine_once(&once, watch_forks);
}

/* A program without code of GCC's expects what LLVM's runtime does: the environment is read when the runtime is first
   used, and what main has set until then counts.  The initial thread is bound in its first region.  */
static bool reads_late;

/* Binding begins with the initial thread.  In a Haskell program it begins with the workers, because
   the RTS has not started yet and would take the narrow mask for the whole machine.  */
static void bind_initial_thread(void)
{
  if (ghcomp_places.count != 0 && ghcomp_settings.initial.bind != BIND_FALSE &&
      !ghcomp_substrate_host_is_haskell()) {
    struct thread *self = ghcomp_self();
    self->place_bound = 1;
    ghcomp_places_bind_self(0, self->own_number);
  }
}

void ghcomp_start_block_time(void)
{
  uint64_t time = ghcomp_settings.block_time;
  if (time == BLOCK_TIME_USUAL || time == BLOCK_TIME_INFINITE)
    ghcomp_parking_block_after(time == BLOCK_TIME_USUAL ? PARKING_USUAL : PARKING_NEVER);
  else
    ghcomp_parking_block_after(time < UINT32_MAX ? time * 1000 : (uint64_t)UINT32_MAX * 1000);
}

/* Nothing here may meet the runtime, because a thread that meets it waits for this function.  */
static void read_environment(void)
{
  const struct settings *s = &ghcomp_settings;
  ghcomp_env_read(ghcomp_machine_needs_llvm());
  ghcomp_parking_configure(s->wait_policy, s->spin_count_set ? &s->spin_count : NULL);
  if (s->block_time != BLOCK_TIME_USUAL)
    ghcomp_start_block_time();
  if (s->helpers_given)
    ghcomp_helper_number_keep(s->helpers);
  ghcomp_crew_kind = &ghcomp_team_crews;
  if (!reads_late)
    ghcomp_stats_configure();
}

/* No handler may come between, because it would wait for its own thread.  */
static __attribute__((noinline)) void start_slowly(_Atomic bool *done)
{
  static struct once once = ONCE_INIT;
  struct held held = ghcomp_machine_hold();
  watch_forks_once();
  ghcomp_machine_once(&once, read_environment);
  store_release(done, true); /* pairs with the load in ghcomp_start_once */
  ghcomp_machine_let(held);
}

void ghcomp_start_once(void)
{
  static _Atomic bool done;
  if (unlikely(!load_acquire(&done)))
    start_slowly(&done);
}

/* Two pools take processors from each other, and this one cannot know of it.  */
static void say_other_runtime(void)
{
  char path[512];
  if (ghcomp_settings.warnings && ghcomp_machine_finds_llvm(path, sizeof path))
    ghcomp_message_say("%s, another OpenMP runtime, is at work in this process too: its threads and these compete for "
                       "processors (ghcomp run lets one runtime serve all; KMP_WARNINGS=0 turns this message off)", path);
}

_Atomic bool ghcomp_llvm_came;

void ghcomp_start_llvm(void)
{
  static lock_word first;
  if (!ghcomp_lock_try(&first))
    return; /* somebody else is at it, or has been */
  store_relaxed(&ghcomp_llvm_came, true);
  struct held held = ghcomp_machine_hold();
  ghcomp_start_once();
  uint64_t time = ghcomp_settings.block_time;
  ghcomp_env_read_late();
  if (ghcomp_settings.block_time != time)
    ghcomp_start_block_time();
  say_other_runtime();
  ghcomp_machine_let(held);
}

/* Not static: an executable that links the runtime from an archive refers to this file by this
   name.  */
void ghcomp_start(void);

__attribute__((constructor)) void ghcomp_start(void)
{
  reads_late = ghcomp_machine_needs_llvm() == LLVM_NEEDED_ALONE && !ghcomp_substrate_host_is_haskell();
  watch_forks_once();
  if (reads_late) {
    ghcomp_stats_configure();
  } else {
    ghcomp_start_once();
    bind_initial_thread();
  }
}
