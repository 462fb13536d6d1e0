/* Descriptors of OS threads: made when a thread first meets the runtime, given
   back when it ends.  */
#include "core/thread.h"

#include "core/memory.h"
#include "core/parking.h"
#include "core/pool.h"
#include "core/depend_node.h"
#include "core/task.h"
#include "core/team.h"

#include <pthread.h>

_Thread_local struct thread *ghcomp_self_pointer;

static pthread_key_t at_end;
static bool has_key; /* else descriptors of threads that end are not used again */
static pthread_once_t at_end_once = PTHREAD_ONCE_INIT;

static void thread_ends(void *descriptor)
{
  struct thread *self = descriptor;
  if (ghcomp_self_pointer != self)
    return;
  /* A thread may end inside a region that it forked (pthread_exit); its team
     then stays as it is, for its workers may still be in it.  */
  if (self->member == &self->initial_team->members[0])
    ghcomp_thread_retire(self);
  ghcomp_self_pointer = NULL;
}

static void make_key(void)
{
  has_key = pthread_key_create(&at_end, thread_ends) == 0;
}

void ghcomp_thread_prepare(struct thread *thread)
{
  thread->docked_at = NULL;
  thread->place_bound = 0;
  thread->belongs = 0;
  thread->worker = false;
  store_relaxed(&thread->park, AWAKE);
  thread->initial_team = ghcomp_team_make_initial(thread);
  thread->member = &thread->initial_team->members[0];
}

void ghcomp_thread_retire(struct thread *thread)
{
  ghcomp_team_unmake_initial(thread->initial_team);
  thread->initial_team = NULL;
  ghcomp_task_drop_headers(thread);
  ghcomp_depend_drop_nodes(thread);
  ghcomp_pool_return_thread(thread);
}

struct thread *ghcomp_thread_meet(void)
{
  pthread_once(&at_end_once, make_key);
  struct thread *self = ghcomp_pool_take_thread();
  ghcomp_thread_prepare(self);
  ghcomp_self_pointer = self;
  if (has_key)
    pthread_setspecific(at_end, self);
  return self;
}

/* Every team that the calling thread is in has lost its other members: the
   child goes on in the same region, alone.  */
void ghcomp_thread_after_fork(void)
{
  struct thread *self = ghcomp_self_pointer;
  if (self == NULL)
    return;
  self->docked_at = NULL;
  self->worker = false;
  for (struct member *m = self->member; m != NULL; m = m->team->parent)
    ghcomp_team_isolate(m, self);
}
