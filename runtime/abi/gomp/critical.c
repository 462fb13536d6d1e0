/* critical, unnamed and named, and the fallback of atomic.
   Spec: 5.2, 15.2, 15.8.4.  */
#include "wait/program_lock.h"

#include "abi/border.h"

ENTRY_POINTS(gomp_critical);

static struct own_lock unnamed;
struct own_lock ghcomp_atomic_fallback FREED_IN_CHILD; /* abi/kmp/ uses it too */

EXPORT void GOMP_critical_start(void)
{
  ghcomp_program_lock_acquire(&unnamed.word);
}

EXPORT void GOMP_critical_end(void)
{
  ghcomp_program_lock_release(&unnamed.word);
}

/* The compiler gives each name a zeroed pointer.  The lock is its first four bytes.  */
EXPORT void GOMP_critical_name_start(void **name)
{
  ghcomp_program_lock_acquire((lock_word *)name);
}

EXPORT void GOMP_critical_name_end(void **name)
{
  ghcomp_program_lock_release((lock_word *)name);
}

EXPORT void GOMP_atomic_start(void)
{
  ghcomp_program_lock_acquire(&ghcomp_atomic_fallback.word);
}

EXPORT void GOMP_atomic_end(void)
{
  ghcomp_program_lock_release(&ghcomp_atomic_fallback.word);
}
