/* reduction clauses of parallel regions and worksharing constructs.  Spec: 5.2, 5.5.

   The number that a call returns says how the compiled code goes on; 0: somebody else has taken the values.  */
#include "abi/kmp/kmp.h"
#include "team/team.h"

ENTRY_POINTS(kmp_reduce);

typedef void kmp_combine(void *to, void *from);

static inline int32_t begin(struct thread *self, const struct kmp_ident *where, void *values, kmp_combine *combine,
                            kmp_critical_name *name)
{
  bool atomics = where != NULL && (where->flags & KMP_IDENT_ATOMIC_REDUCTION) != 0;
  return (int32_t)ghcomp_reduce_begin(self, &(struct reduction_code){(lock_word *)name, atomics, values, combine});
}

EXPORT int32_t __kmpc_reduce_nowait(struct kmp_ident *where, int32_t gtid, int32_t count, size_t size, void *values,
                                    kmp_combine *combine, kmp_critical_name *name)
{
  (void)gtid, (void)count, (void)size;
  return begin(ghcomp_self(), where, values, combine, name);
}

EXPORT void __kmpc_end_reduce_nowait(struct kmp_ident *where, int32_t gtid, kmp_critical_name *name)
{
  (void)where, (void)gtid;
  ghcomp_reduce_end(ghcomp_self(), (lock_word *)name);
}

/* The barrier comes with the end, which this form's code calls unless it gets 0.  */
EXPORT int32_t __kmpc_reduce(struct kmp_ident *where, int32_t gtid, int32_t count, size_t size, void *values,
                             kmp_combine *combine, kmp_critical_name *name)
{
  (void)gtid, (void)count, (void)size;
  struct thread *self = ghcomp_self();
  int32_t how = begin(self, where, values, combine, name);
  if (how == REDUCE_IS_DONE)
    ghcomp_barrier_wait(self);
  return how;
}

EXPORT void __kmpc_end_reduce(struct kmp_ident *where, int32_t gtid, kmp_critical_name *name)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self();
  ghcomp_reduce_end(self, (lock_word *)name);
  ghcomp_barrier_wait(self);
}
