/* Locks in the eight bytes that LLVM's omp.h gives both kinds: the same that omp_* of the node VERSION use.
   Spec: 5.2, 18.9.  */
#include "abi/kmp/kmp.h"
#include "wait/program_lock.h"

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

EXPORT void __kmpc_init_nest_lock(PLACE, struct nest_lock_25 *lock)
{
  IGNORE_PLACE;
  store_relaxed(&lock->owner, LOCK_FREE);
  lock->count = 0;
}

EXPORT void __kmpc_init_nest_lock_with_hint(PLACE, struct nest_lock_25 *lock, uintptr_t hint)
{
  (void)hint;
  __kmpc_init_nest_lock(where, gtid, lock);
}

EXPORT void __kmpc_destroy_nest_lock(PLACE, struct nest_lock_25 *lock)
{
  IGNORE_PLACE, (void)lock;
}

EXPORT void __kmpc_set_nest_lock(PLACE, struct nest_lock_25 *lock)
{
  IGNORE_PLACE;
  ghcomp_program_lock_note(ghcomp_lock_nest25_acquire(lock));
}

EXPORT void __kmpc_unset_nest_lock(PLACE, struct nest_lock_25 *lock)
{
  IGNORE_PLACE;
  ghcomp_program_lock_note_release(lock->count);
  ghcomp_lock_nest25_release(lock);
}

EXPORT int32_t __kmpc_test_nest_lock(PLACE, struct nest_lock_25 *lock)
{
  IGNORE_PLACE;
  return ghcomp_program_lock_note(ghcomp_lock_nest25_try(lock));
}
