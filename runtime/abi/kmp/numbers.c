/* Which thread of how many; what a program may ask before it asks for anything else.  */
#include "abi/kmp/kmp.h"
#include "team/pool.h"

ENTRY_POINTS(kmp_numbers);

EXPORT int32_t __kmpc_global_thread_num(struct kmp_ident *where)
{
  (void)where;
  return ghcomp_kmp_gtid(ghcomp_self());
}

EXPORT int32_t __kmpc_global_num_threads(struct kmp_ident *where)
{
  (void)where;
  return (int32_t)ghcomp_pool_threads();
}

EXPORT int32_t __kmpc_bound_thread_num(struct kmp_ident *where)
{
  (void)where;
  return (int32_t)ghcomp_self()->member->number;
}

EXPORT int32_t __kmpc_bound_num_threads(struct kmp_ident *where)
{
  (void)where;
  return (int32_t)ghcomp_self()->member->team->size;
}

EXPORT int32_t __kmpc_in_parallel(struct kmp_ident *where)
{
  (void)where;
  return ghcomp_self()->member->team->active_level > 0;
}

EXPORT int32_t __kmpc_ok_to_fork(struct kmp_ident *where)
{
  (void)where;
  return 1;
}

/* The library is ready when it is loaded, and ends with the process.  */
EXPORT void __kmpc_begin(struct kmp_ident *where, int32_t flags)
{
  (void)where, (void)flags;
}

EXPORT void __kmpc_end(struct kmp_ident *where)
{
  (void)where;
}

/* Free-agent threads execute tasks of a team to which they do not belong.  There are none.  Spec: 6.0, 21.  */
EXPORT int omp_is_free_agent(void)
{
  return 0;
}

EXPORT int omp_is_free_agent_(void)
{
  return 0;
}

EXPORT int omp_ancestor_is_free_agent(int level)
{
  (void)level;
  return 0;
}

EXPORT int omp_ancestor_is_free_agent_(const int *level)
{
  (void)level;
  return 0;
}
