/* What happens when the library is loaded, and in a forked child.

   Loading reads the environment and does nothing else: it starts no thread and no RTS, and
   allocates nothing that a program without regions would pay for.  An initialiser that runs earlier
   and meets the runtime reads the environment itself.  */
#include "team/thread.h"

#include "base/stats.h"
#include "machine/process.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "settings/env.h"
#include "settings/icv.h"
#include "state/thread.h"
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
  ghcomp_lock_after_fork();
  ghcomp_pool_after_fork();
  ghcomp_worker_name_after_fork(ghcomp_self_pointer);
  ghcomp_thread_after_fork();
}

/* Binding begins with the initial thread.  In a Haskell program it begins with the workers, because
   the RTS has not started yet and would take the narrow mask for the whole machine.  */
static void bind_initial_thread(void)
{
  if (ghcomp_places.count != 0 && ghcomp_settings.initial.bind != BIND_FALSE &&
      !ghcomp_substrate_host_is_haskell()) {
    struct thread *self = ghcomp_self();
    self->place_bound = 1;
    ghcomp_places_bind_self(0);
  }
}

/* Nothing here may meet the runtime, because a thread that meets it waits for this function.  */
static void read_environment(void)
{
  const struct settings *s = &ghcomp_settings;
  ghcomp_env_read();
  ghcomp_parking_configure(s->wait_policy, s->spin_count_set ? &s->spin_count : NULL);
  ghcomp_crew_kind = &ghcomp_team_crews;
  ghcomp_stats_configure();
  ghcomp_machine_in_forked_child(in_child);
}

void ghcomp_start_once(void)
{
  static struct once once = ONCE_INIT;
  ghcomp_machine_once(&once, read_environment);
}

/* Not static: an executable that links the runtime from an archive refers to this file by this
   name.  */
void ghcomp_start(void);

__attribute__((constructor)) void ghcomp_start(void)
{
  ghcomp_start_once();
  bind_initial_thread();
  ghcomp_thread_watch_first();
}
