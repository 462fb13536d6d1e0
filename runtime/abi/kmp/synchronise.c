/* barrier, cancellation, critical, flush.  Spec: 5.2, 11.2, 15.2, 15.3, 15.8.5.  */
#include "abi/kmp/kmp.h"
#include "team/team.h"
#include "wait/program_lock.h"

ENTRY_POINTS(kmp_synchronise);

EXPORT void __kmpc_barrier(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  ghcomp_barrier_wait(ghcomp_self());
}

/* Every barrier where cancellation may happen; 1: it has, and the caller leaves the region.  */
EXPORT int32_t __kmpc_cancel_barrier(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  return ghcomp_barrier_wait_cancel(ghcomp_self());
}

/* A barrier that lets member 0 go when all have come, and the others when it calls the end.  */
EXPORT int32_t __kmpc_barrier_master(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self();
  ghcomp_barrier_wait(self);
  if (self->member->number == 0)
    return 1;
  ghcomp_barrier_wait(self);
  return 0;
}

EXPORT void __kmpc_end_barrier_master(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  ghcomp_barrier_wait(ghcomp_self());
}

/* The others need not wait for its end.  */
EXPORT int32_t __kmpc_barrier_master_nowait(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self();
  ghcomp_barrier_wait(self);
  return self->member->number == 0;
}

EXPORT void __kmpc_flush(struct kmp_ident *where)
{
  (void)where;
  fence_of_program();
}

/* Intel's compilers: flush with a memory order.  The strongest serves for all.  */
EXPORT void __kmpc_flush_explicit(struct kmp_ident *where, int32_t order)
{
  (void)where, (void)order;
  fence_of_program();
}

/* ----------------------------------------------------------------- cancellation */

/* The compiler's kinds are 1 parallel, 2 loop, 3 sections, 4 taskgroup; those of team.h are bits in the
   same order.  */
static int which(int32_t kind)
{
  return kind >= 1 && kind <= 4 ? 1 << (kind - 1) : 0;
}

EXPORT int32_t __kmpc_cancel(struct kmp_ident *where, int32_t gtid, int32_t kind)
{
  (void)where, (void)gtid;
  return ghcomp_cancel_activate(ghcomp_self(), which(kind));
}

EXPORT int32_t __kmpc_cancellationpoint(struct kmp_ident *where, int32_t gtid, int32_t kind)
{
  (void)where, (void)gtid;
  return ghcomp_cancel_check(ghcomp_self(), which(kind));
}

/* --------------------------------------------------------------------- critical */

EXPORT void __kmpc_critical(struct kmp_ident *where, int32_t gtid, kmp_critical_name *name)
{
  (void)where, (void)gtid;
  ghcomp_program_lock_acquire((lock_word *)name);
}

/* Hints have no effect: every lock spins a little and then sleeps.  */
EXPORT void __kmpc_critical_with_hint(struct kmp_ident *where, int32_t gtid, kmp_critical_name *name, uint32_t hint)
{
  (void)where, (void)gtid, (void)hint;
  ghcomp_program_lock_acquire((lock_word *)name);
}

EXPORT void __kmpc_end_critical(struct kmp_ident *where, int32_t gtid, kmp_critical_name *name)
{
  (void)where, (void)gtid;
  ghcomp_program_lock_release((lock_word *)name);
}
