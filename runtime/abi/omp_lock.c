/* Lock routines, of both ABI generations.  Spec: 5.2, 18.9.

   Since OpenMP 3.0 a nestable lock belongs to a task; binaries from before
   (version node OMP_1.0) have smaller ones that belong to a thread.  Hints are
   accepted and have no effect: every lock spins a little and then sleeps.  */
#include "wait/program_lock.h"

#include "abi/border.h"

ENTRY_POINTS(omp_lock);

_Static_assert(sizeof(omp_lock_t) == sizeof(lock_word), "omp_lock_t holds a lock_word");
_Static_assert(sizeof(omp_nest_lock_t) >= sizeof(struct nest_lock),
               "omp_nest_lock_t holds a struct nest_lock");

static struct nest_lock *nest(omp_nest_lock_t *lock)
{
  return (struct nest_lock *)lock;
}

static void *owner(void)
{
  return ghcomp_self()->member->task;
}

/* The versioned names: each implementation below has an internal name and is
   bound to the public one under its node.  */
#define CURRENT(name) BORDER_CURRENT("ghcomp_" #name "_30", #name, "OMP_3.0")
#define OLD(name) BORDER_OLD("ghcomp_" #name "_25", #name, "OMP_1.0")
#define VERSIONED __attribute__((visibility("default"), used))

CURRENT(omp_init_lock);
CURRENT(omp_destroy_lock);
CURRENT(omp_set_lock);
CURRENT(omp_unset_lock);
CURRENT(omp_test_lock);
CURRENT(omp_init_nest_lock);
CURRENT(omp_destroy_nest_lock);
CURRENT(omp_set_nest_lock);
CURRENT(omp_unset_nest_lock);
CURRENT(omp_test_nest_lock);
OLD(omp_init_lock);
OLD(omp_destroy_lock);
OLD(omp_set_lock);
OLD(omp_unset_lock);
OLD(omp_test_lock);
OLD(omp_init_nest_lock);
OLD(omp_destroy_nest_lock);
OLD(omp_set_nest_lock);
OLD(omp_unset_nest_lock);
OLD(omp_test_nest_lock);

/* ------------------------------------------------------------------ simple locks */

VERSIONED void ghcomp_omp_init_lock_30(omp_lock_t *lock)
{
  store_relaxed((lock_word *)lock, LOCK_FREE);
}

VERSIONED void ghcomp_omp_destroy_lock_30(omp_lock_t *lock)
{
  (void)lock;
}

VERSIONED void ghcomp_omp_set_lock_30(omp_lock_t *lock)
{
  ghcomp_program_lock_acquire((lock_word *)lock);
}

VERSIONED void ghcomp_omp_unset_lock_30(omp_lock_t *lock)
{
  ghcomp_program_lock_release((lock_word *)lock);
}

VERSIONED int ghcomp_omp_test_lock_30(omp_lock_t *lock)
{
  return ghcomp_program_lock_try((lock_word *)lock);
}

/* The 2.5 form differs in its owner only, which a simple lock does not store. */
#define SAME_AS_30(result, name)                                               \
  VERSIONED result ghcomp_omp_##name##_25(omp_lock_t *lock)                    \
  {                                                                            \
    return ghcomp_omp_##name##_30(lock);                                       \
  }
SAME_AS_30(void, init_lock)
SAME_AS_30(void, destroy_lock)
SAME_AS_30(void, set_lock)
SAME_AS_30(void, unset_lock)
SAME_AS_30(int, test_lock)

/* --------------------------------------------------------------- nestable locks */

VERSIONED void ghcomp_omp_init_nest_lock_30(omp_nest_lock_t *lock)
{
  store_relaxed(&nest(lock)->lock, LOCK_FREE);
  store_relaxed(&nest(lock)->owner, NULL);
  nest(lock)->count = 0;
}

VERSIONED void ghcomp_omp_destroy_nest_lock_30(omp_nest_lock_t *lock)
{
  (void)lock;
}

VERSIONED void ghcomp_omp_set_nest_lock_30(omp_nest_lock_t *lock)
{
  ghcomp_program_lock_note(ghcomp_lock_nest_acquire(nest(lock), owner()));
}

VERSIONED void ghcomp_omp_unset_nest_lock_30(omp_nest_lock_t *lock)
{
  ghcomp_program_lock_note_release(nest(lock)->count);
  ghcomp_lock_nest_release(nest(lock));
}

VERSIONED int ghcomp_omp_test_nest_lock_30(omp_nest_lock_t *lock)
{
  return ghcomp_program_lock_note(ghcomp_lock_nest_try(nest(lock), owner()));
}

VERSIONED void ghcomp_omp_init_nest_lock_25(struct nest_lock_25 *lock)
{
  store_relaxed(&lock->owner, 0);
  lock->count = 0;
}

VERSIONED void ghcomp_omp_destroy_nest_lock_25(struct nest_lock_25 *lock)
{
  (void)lock;
}

VERSIONED void ghcomp_omp_set_nest_lock_25(struct nest_lock_25 *lock)
{
  ghcomp_program_lock_note(ghcomp_lock_nest25_acquire(lock));
}

VERSIONED void ghcomp_omp_unset_nest_lock_25(struct nest_lock_25 *lock)
{
  ghcomp_program_lock_note_release(lock->count);
  ghcomp_lock_nest25_release(lock);
}

VERSIONED int ghcomp_omp_test_nest_lock_25(struct nest_lock_25 *lock)
{
  return ghcomp_program_lock_note(ghcomp_lock_nest25_try(lock));
}

