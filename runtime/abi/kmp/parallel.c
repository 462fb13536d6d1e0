/* parallel, and what is said of the next one.  Spec: 5.2, 10.1.

   num_threads and proc_bind come in calls of their own, just before the fork that they are for; each
   fork of the thread uses them up, also that of a region of one thread.  */
#include "abi/kmp/call.h"
#include "base/message.h"
#include "team/team.h"

ENTRY_POINTS(kmp_parallel);

static struct region region_of(struct thread *self, bool serial)
{
  struct region region = {.threads = serial ? 1 : self->next_region.threads, .bind = self->next_region.bind};
  self->next_region = (struct thread_next){0};
  return region;
}

static void run(struct kmp_call *call, bool serial)
{
  struct thread *self = ghcomp_self();
  struct region region = region_of(self, serial);
  region.fn = ghcomp_call_run;
  region.data = call;
  ghcomp_team_fork(self, &region);
  ghcomp_call_run(call);
  ghcomp_team_join(self);
}

EXPORT void __kmpc_fork_call(struct kmp_ident *where, int32_t count, kmp_body *body, ...)
{
  (void)where;
  struct kmp_call call = {.body = body, .count = (unsigned)count};
  void *words[ghcomp_call_room(call.count)];
  call.words = words;
  va_list rest;
  va_start(rest, body);
  ghcomp_call_fill(&call, rest);
  va_end(rest);
  run(&call, false);
}

/* The body has one argument, or none.  */
EXPORT void __kmpc_fork_call_if(struct kmp_ident *where, int32_t count, kmp_body *body, int32_t parallel,
                                void *argument)
{
  (void)where, (void)count;
  void *words[4] = {argument};
  struct kmp_call call = {.body = body, .count = argument != NULL, .words = words};
  run(&call, parallel == 0);
}

/* if(false): the compiler calls the body itself between the two.  */
EXPORT void __kmpc_serialized_parallel(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self();
  struct region region = region_of(self, true);
  ghcomp_team_fork(self, &region);
}

EXPORT void __kmpc_end_serialized_parallel(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  ghcomp_team_join(ghcomp_self());
}

/* --------------------------------------------------------------- the next region */

EXPORT void __kmpc_push_num_threads(struct kmp_ident *where, int32_t gtid, int32_t threads)
{
  (void)where, (void)gtid;
  ghcomp_self()->next_region.threads = threads > 0 ? (unsigned)threads : 0;
}

EXPORT void __kmpc_pop_num_threads(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}

EXPORT void __kmpc_push_proc_bind(struct kmp_ident *where, int32_t gtid, int32_t bind)
{
  (void)where, (void)gtid;
  ghcomp_self()->next_region.bind = (unsigned)bind;
}
