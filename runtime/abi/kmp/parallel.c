/* parallel, and what is said of the next one.  Spec: 5.2, 10.1.

   num_threads and proc_bind come in calls of their own, just before the fork that they are for; each
   fork of the thread uses them up, also that of a region of one thread.  */
#include "abi/kmp/call.h"
#include "base/message.h"
#include "team/team.h"

ENTRY_POINTS(kmp_parallel);

enum severity { SEVERITY_WARNING = 1, SEVERITY_FATAL = 2 };

static struct region region_of(const struct thread_next *next)
{
  return (struct region){.threads = next->threads, .bind = next->bind,
                         .inner_list = next->inner_levels != 0 ? next : NULL,
                         .carries_modes = !ghcomp_settings.keeps_modes};
}

/* num_threads with the modifier strict.  */
static __attribute__((noinline)) void say_fewer(const struct thread_next *next, unsigned threads)
{
  const char *colon = next->message != NULL ? ": " : "", *text = next->message != NULL ? next->message : "";
  if (next->strict_severity == SEVERITY_FATAL)
    ghcomp_message_fatal("fatal error: num_threads(strict: %u), and the region has %u%s%s", next->threads, threads, colon,
                         text);
  ghcomp_message_say("num_threads(strict: %u), and the region goes on with %u%s%s", next->threads, threads, colon, text);
}

static inline void run(struct thread *self, struct thread_next next, struct member_call *call, bool serial)
{
  struct region region = region_of(&next);
  region.fn = ghcomp_call_run;
  region.data = call;
  region.body = call->body;
  if (serial)
    region.threads = 1;
  unsigned threads = ghcomp_team_begin(self, &region)->size;
  if (unlikely(next.strict_severity != 0 && !serial && threads != next.threads))
    say_fewer(&next, threads);
  ghcomp_call_run(call);
  ghcomp_team_join(self);
}

static __attribute__((noinline)) void fork_with_many(struct thread *self, kmp_body *body, unsigned count, va_list rest)
{
  void *words[ghcomp_call_room(count)];
  struct thread_next next = ghcomp_kmp_take_next(self);
  ghcomp_team_prepare(self);
  struct member_call *call = &self->member->call;
  ghcomp_call_fill(call, body, count, words, rest);
  run(self, next, call, false);
}

EXPORT void __kmpc_fork_call(struct kmp_ident *where, int32_t count, kmp_body *body, ...)
{
  (void)where;
  ghcomp_kmp_meet();
  struct thread *self = ghcomp_self();
  va_list rest;
  va_start(rest, body);
  if (likely(count <= CALL_WORDS)) {
    struct thread_next next = ghcomp_kmp_take_next(self);
    ghcomp_team_prepare(self);
    struct member_call *call = &self->member->call;
    ghcomp_call_fill(call, body, (unsigned)count, NULL, rest);
    run(self, next, call, false);
  } else {
    fork_with_many(self, body, (unsigned)count, rest);
  }
  va_end(rest);
}

/* The body has one argument, or none.  */
EXPORT void __kmpc_fork_call_if(struct kmp_ident *where, int32_t count, kmp_body *body, int32_t parallel,
                                void *argument)
{
  (void)where, (void)count;
  ghcomp_kmp_meet();
  struct thread *self = ghcomp_self();
  struct thread_next next = ghcomp_kmp_take_next(self);
  ghcomp_team_prepare(self);
  struct member_call *call = &self->member->call;
  ghcomp_call_set(call, body, argument != NULL);
  ghcomp_call_set_word(call, 0, argument);
  run(self, next, call, parallel == 0);
}

/* if(false): the compiler calls the body itself between the two.  */
EXPORT void __kmpc_serialized_parallel(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self();
  struct thread_next next = ghcomp_kmp_take_next(self);
  struct region region = region_of(&next);
  region.threads = 1;
  ghcomp_team_fork(self, &region);
}

EXPORT void __kmpc_end_serialized_parallel(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  ghcomp_team_join(ghcomp_self());
}

/* The body of the current region once more; compiled code never calls this.  */
EXPORT int32_t __kmpc_invoke_task_func(int32_t gtid)
{
  (void)gtid;
  const struct team *team = ghcomp_self()->member->team;
  team->fn(team->data);
  return 1;
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

EXPORT void __kmpc_push_num_threads_strict(struct kmp_ident *where, int32_t gtid, int32_t threads, int32_t severity,
                                           const char *message)
{
  struct thread_next *next = &ghcomp_self()->next_region;
  __kmpc_push_num_threads(where, gtid, threads);
  next->strict_severity = severity;
  next->message = message;
}

/* num_threads(a, b, …): a for this region, b for those that its members start, and so on.  The list stays where it
   is until the region's end.  */
EXPORT void __kmpc_push_num_threads_list(struct kmp_ident *where, int32_t gtid, uint32_t count, const int32_t *threads)
{
  if (count == 0)
    return;
  struct thread_next *next = &ghcomp_self()->next_region;
  __kmpc_push_num_threads(where, gtid, threads[0]);
  next->inner_threads = threads + 1;
  next->inner_levels = count - 1;
}

EXPORT void __kmpc_push_num_threads_list_strict(struct kmp_ident *where, int32_t gtid, uint32_t count,
                                                const int32_t *threads, int32_t severity, const char *message)
{
  __kmpc_push_num_threads_list(where, gtid, count, threads);
  struct thread_next *next = &ghcomp_self()->next_region;
  next->strict_severity = severity;
  next->message = message;
}

EXPORT void __kmpc_push_proc_bind(struct kmp_ident *where, int32_t gtid, int32_t bind)
{
  (void)where, (void)gtid;
  ghcomp_self()->next_region.bind = (unsigned)bind;
}
