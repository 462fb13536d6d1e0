/* The helper of a Haskell loop leaves the detached region, which ends for a master without a
   thread.  The caller's next loop forks the same team again.
   code: team/fork.c team/hot.c team/join.c team/size.c wait/parking.c team/gather.c task/task_wait.c task/taskgroup.c.  */
#include "cbits/LoopHelpers.c"
#include "loop_context.h"
#include "team/pool.h"
#include "team/fork.h"

unsigned weak_threads = 2;
static struct loop_context *context;
static struct team *detached;

unsigned ghcomp_icv_default_threads(void)
{
  return 2;
}

unsigned ghcomp_substrate_host_capabilities(void)
{
  return 2;
}

const struct substrate *ghcomp_substrate_start(unsigned threads)
{
  (void)threads;
  return NULL;
}

size_t ghcomp_stack_left_elsewhere(struct thread *t, uintptr_t here)
{
  (void)t, (void)here;
  return 1 << 20;
}

void ghcomp_slots_reset(struct team *of)
{
  (void)of;
}

/* The master has an initial team, whose hot team is in a region of two.  */
void weak_setup(void)
{
  make_members(3);
  struct thread *master = thread[2];
  struct team *initial = weak_alloc(sizeof *initial + sizeof initial->members[0]);
  detached = team;
  detached->size = detached->heads = detached->capacity = 2;
  detached->workers = 1;
  detached->had_workers = detached->detached = detached->own_tasks_only = true;
  detached->state = TEAM_BUSY;
  detached->joined_when_all = 2;
  detached->parent = &initial->members[0];
  detached->members[0].thread = master;
  detached->own_icv.thread_limit = UINT_MAX;
  detached->own_icv.max_active_levels = 255;
  initial->size = initial->capacity = 1;
  initial->members[0].team = initial;
  initial->members[0].thread = master;
  initial->members[0].task = &initial->members[0].implicit;
  initial->members[0].implicit.icv = &detached->own_icv;
  initial->members[0].hot = detached;
  master->initial_team = initial;
  master->member = &detached->members[0];
  master->capability = 1;
  context = make_loop_context(2);
  context->master = master;
}

void weak_thread(unsigned number)
{
  struct thread *self = be(number);
  if (number == 0) {
    ghcomp_team_leave(detached, 0);
    ghcomp_loop_call_helpers(context, 1);
    return;
  }
  ghcomp_team_leave(detached, 1);
  weak_await(&self->mail.number, sizeof self->mail.number);
  weak_assert(detached->fn == serve && detached->data == context &&
              self->mail.content.region_number == detached->region_number);
  ghcomp_team_leave(detached, 1);
}

void weak_end(void)
{
}
