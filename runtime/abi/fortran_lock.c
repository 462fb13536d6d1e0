/* Fortran's lock routines, of both ABI generations.

   A simple lock is the four bytes of the variable.  A nestable lock of OpenMP
   3.0 has 16 bytes and the variable 8: it holds a pointer to one.  That of 2.5
   fits.  */
#include "abi/border.h"
#include "base/memory.h"
#include "wait/program_lock.h"

ENTRY_POINTS(fortran_lock);

#define VERSIONED __attribute__((visibility("default"), used))
#define NAMES(name)                                              \
  BORDER_CURRENT("ghcomp_f30_" #name, #name "_", "OMP_3.0"); \
  BORDER_OLD("ghcomp_f25_" #name, #name "_", "OMP_1.0")

NAMES(omp_init_lock);
NAMES(omp_destroy_lock);
NAMES(omp_set_lock);
NAMES(omp_unset_lock);
NAMES(omp_test_lock);
NAMES(omp_init_nest_lock);
NAMES(omp_destroy_nest_lock);
NAMES(omp_set_nest_lock);
NAMES(omp_unset_nest_lock);
NAMES(omp_test_nest_lock);

#define SIMPLE(generation)                                                                   \
  VERSIONED void ghcomp_##generation##_omp_init_lock(lock_word *l) { store_relaxed(l, LOCK_FREE); } \
  VERSIONED void ghcomp_##generation##_omp_destroy_lock(lock_word *l) { (void)l; }           \
  VERSIONED void ghcomp_##generation##_omp_set_lock(lock_word *l) { ghcomp_program_lock_acquire(l); } \
  VERSIONED void ghcomp_##generation##_omp_unset_lock(lock_word *l) { ghcomp_program_lock_release(l); } \
  VERSIONED int32_t ghcomp_##generation##_omp_test_lock(lock_word *l) { return ghcomp_program_lock_try(l); }

SIMPLE(f30)
SIMPLE(f25)

static void *owner(void)
{
  return ghcomp_self()->member->task;
}

VERSIONED void ghcomp_f30_omp_init_nest_lock(struct nest_lock **lock)
{
  *lock = ghcomp_memory_get_zero(sizeof **lock);
}

VERSIONED void ghcomp_f30_omp_destroy_nest_lock(struct nest_lock **lock)
{
  ghcomp_memory_release(*lock);
  *lock = NULL;
}

VERSIONED void ghcomp_f30_omp_set_nest_lock(struct nest_lock **lock)
{
  ghcomp_program_lock_note(ghcomp_lock_nest_acquire(*lock, owner()));
}

VERSIONED void ghcomp_f30_omp_unset_nest_lock(struct nest_lock **lock)
{
  ghcomp_program_lock_note_release((*lock)->count);
  ghcomp_lock_nest_release(*lock);
}

VERSIONED int32_t ghcomp_f30_omp_test_nest_lock(struct nest_lock **lock)
{
  return ghcomp_program_lock_note(ghcomp_lock_nest_try(*lock, owner()));
}

VERSIONED void ghcomp_f25_omp_init_nest_lock(struct nest_lock_25 *lock)
{
  store_relaxed(&lock->owner, 0);
  lock->count = 0;
}

VERSIONED void ghcomp_f25_omp_destroy_nest_lock(struct nest_lock_25 *lock)
{
  (void)lock;
}

VERSIONED void ghcomp_f25_omp_set_nest_lock(struct nest_lock_25 *lock)
{
  ghcomp_program_lock_note(ghcomp_lock_nest25_acquire(lock));
}

VERSIONED void ghcomp_f25_omp_unset_nest_lock(struct nest_lock_25 *lock)
{
  ghcomp_program_lock_note_release(lock->count);
  ghcomp_lock_nest25_release(lock);
}

VERSIONED int32_t ghcomp_f25_omp_test_nest_lock(struct nest_lock_25 *lock)
{
  return ghcomp_program_lock_note(ghcomp_lock_nest25_try(lock));
}
