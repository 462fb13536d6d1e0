/* A helper of an earlier loop is about to depart when the same context opens its next loop.  If the
   next loop counts on the helper, the helper takes part in it.
   code: cbits/Loop.c cbits/LoopChunks.c task/taskgroup.c task/task_wait.c wait/parking.c wait/lock.c.  */
#include "cbits/LoopHelpers.c"
#include "loop_context.h"

void ghcomp_loop_admit(struct loop_context *);
struct loop_worker *ghcomp_loop_enter(struct loop_context *);
HsBool ghcomp_loop_leave(struct loop_worker *);

unsigned weak_threads = 2;
static struct loop_context *context;
static _Atomic int has_come;
static int job;

struct thread *ghcomp_reuse_try_thread(void)
{
  return NULL; /* there is no further helper */
}

Capability *rts_lock(void)
{
  return &MainCapability;
}

void rts_unlock(Capability *capability)
{
  (void)capability;
}

SchedulerStatus rts_getSchedStatus(Capability *capability)
{
  (void)capability;
  return Success;
}

void rts_checkSchedStatus(char *site, Capability *capability)
{
  (void)site, (void)capability;
}

void rts_evalStableIO(Capability **capability, HsStablePtr what, HsStablePtr *result)
{
  (void)capability, (void)what, (void)result;
  struct loop_worker *worker = ghcomp_loop_enter(context);
  if (worker == NULL)
    return;
  weak_assert(job == 1);
  store_relaxed_at(0, &has_come, 1);
  ghcomp_loop_leave(worker);
}

void weak_setup(void)
{
  make_members(2);
  context = make_loop_context(2);
  context->chunks = 2;
  context->attending = 1;
  helpers_attending = 1;
}

void weak_thread(unsigned number)
{
  be(number);
  if (number == 1) {
    serve(context);
    return;
  }
  job = 1;
  context->parts.count = 1; /* so that ghcomp_loop_admit leaves the call to this thread */
  ghcomp_loop_admit(context);
  if (ghcomp_loop_call_helpers(context, 1) != 0)
    weak_await(&has_come, sizeof has_come);
}

void weak_end(void)
{
}
