/* Locks in the eight bytes that LLVM's omp.h gives both kinds: the same that omp_* of the node VERSION use.
   Spec: 5.2, 18.9.  */
#include "abi/kmp/kmp.h"
#include "abi/omp/nest_lock.h"

ENTRY_POINTS(kmp_lock);

#define PLACE struct kmp_ident *where, int32_t gtid
#define IGNORE_PLACE (void)where, (void)gtid

EXPORT void __kmpc_init_lock(PLACE, lock_word *lock)
{
  IGNORE_PLACE;
  store_relaxed(lock, LOCK_FREE);
}

EXPORT void __kmpc_init_lock_with_hint(PLACE, lock_word *lock, uintptr_t hint)
{
  IGNORE_PLACE, (void)hint;
  store_relaxed(lock, LOCK_FREE);
}

EXPORT void __kmpc_destroy_lock(PLACE, lock_word *lock)
{
  IGNORE_PLACE, (void)lock;
}

EXPORT void __kmpc_set_lock(PLACE, lock_word *lock)
{
  IGNORE_PLACE;
  ghcomp_program_lock_acquire(lock);
}

EXPORT void __kmpc_unset_lock(PLACE, lock_word *lock)
{
  IGNORE_PLACE;
  ghcomp_program_lock_release(lock);
}

EXPORT int32_t __kmpc_test_lock(PLACE, lock_word *lock)
{
  IGNORE_PLACE;
  return ghcomp_program_lock_try(lock);
}

/* ------------------------------------------------------------------- nestable */

EXPORT void __kmpc_init_nest_lock(PLACE, void *lock)
{
  IGNORE_PLACE;
  ghcomp_nest_lock_make(lock);
}

EXPORT void __kmpc_init_nest_lock_with_hint(PLACE, void *lock, uintptr_t hint)
{
  IGNORE_PLACE, (void)hint;
  ghcomp_nest_lock_make(lock);
}

EXPORT void __kmpc_destroy_nest_lock(PLACE, void *lock)
{
  IGNORE_PLACE;
  ghcomp_nest_lock_end(lock);
}

EXPORT void __kmpc_set_nest_lock(PLACE, void *lock)
{
  IGNORE_PLACE;
  ghcomp_nest_lock_set(lock);
}

EXPORT void __kmpc_unset_nest_lock(PLACE, void *lock)
{
  IGNORE_PLACE;
  ghcomp_nest_lock_unset(lock);
}

EXPORT int32_t __kmpc_test_nest_lock(PLACE, void *lock)
{
  IGNORE_PLACE;
  return ghcomp_nest_lock_test(lock);
}

/* -------------------------------------------------------- with a hint, by omp_* */

EXPORT void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)
{
  (void)hint;
  store_relaxed((lock_word *)lock, LOCK_FREE);
}

EXPORT void omp_init_lock_with_hint_(lock_word *lock, const int32_t *hint)
{
  (void)hint;
  store_relaxed(lock, LOCK_FREE);
}

EXPORT void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)
{
  (void)hint;
  ghcomp_nest_lock_make(lock);
}

EXPORT void omp_init_nest_lock_with_hint_(void *lock, const int32_t *hint)
{
  (void)hint;
  ghcomp_nest_lock_make(lock);
}
