/* Lock routines of C and Fortran, of both ABI generations.  Spec: 5.2, 18.9.

   Since OpenMP 3.0 a nestable lock belongs to a task and has 16 bytes.  Fortran's variable has 8, and so has
   that of LLVM's header: nest_lock.h says where the lock is.  In C omp_init_nest_lock makes one of 16 bytes for
   whoever asks for the node OMP_3.0, as compiled code of GCC does, and one of 8 bytes for all others, because
   these are there in any case.  Binaries from before (version node OMP_1.0) have smaller ones, which belong
   to a thread and fit both languages.  A simple lock is the same everywhere.  Hints are accepted and have
   no effect: every lock spins a little and then sleeps.  */
#include "abi/omp/nest_lock.h"

ENTRY_POINTS(omp_lock);

_Static_assert(sizeof(omp_lock_t) == sizeof(lock_word), "omp_lock_t holds a lock_word");
_Static_assert(sizeof(omp_nest_lock_t) >= sizeof(struct nest_lock),
               "omp_nest_lock_t holds a struct nest_lock");

/* ------------------------------------------------------------------ simple locks */

static void ghcomp_omp_init_lock(lock_word *lock)
{
  store_relaxed(lock, LOCK_FREE);
}

static void ghcomp_omp_destroy_lock(lock_word *lock)
{
  (void)lock;
}

static void ghcomp_omp_set_lock(lock_word *lock)
{
  ghcomp_program_lock_acquire(lock);
}

static void ghcomp_omp_unset_lock(lock_word *lock)
{
  ghcomp_program_lock_release(lock);
}

static int ghcomp_omp_test_lock(lock_word *lock)
{
  return ghcomp_program_lock_try(lock);
}

/* --------------------------------------------------------------- nestable locks */

static void ghcomp_omp_init_nest_lock(struct nest_lock *lock)
{
  store_relaxed(&lock->lock, LOCK_FREE);
  store_relaxed(&lock->owner, NULL);
  lock->count = 0;
}

static void ghcomp_omp_init_far_nest_lock(void *lock)
{
  ghcomp_nest_lock_make(lock);
}

static void ghcomp_omp_destroy_nest_lock(void *lock)
{
  ghcomp_nest_lock_end(lock);
}

static void ghcomp_omp_set_nest_lock(void *lock)
{
  ghcomp_nest_lock_set(lock);
}

static void ghcomp_omp_unset_nest_lock(void *lock)
{
  ghcomp_nest_lock_unset(lock);
}

static int ghcomp_omp_test_nest_lock(void *lock)
{
  return ghcomp_nest_lock_test(lock);
}

/* ------------------------------------------------------ nestable locks of OpenMP 2.5 */

static void ghcomp_omp_init_old_nest_lock(struct nest_lock_25 *lock)
{
  store_relaxed(&lock->owner, 0);
  lock->count = 0;
}

static void ghcomp_omp_destroy_old_nest_lock(struct nest_lock_25 *lock)
{
  (void)lock;
}

static void ghcomp_omp_set_old_nest_lock(struct nest_lock_25 *lock)
{
  ghcomp_program_lock_note(ghcomp_lock_nest25_acquire(lock));
}

static void ghcomp_omp_unset_old_nest_lock(struct nest_lock_25 *lock)
{
  ghcomp_program_lock_note_release(lock->count);
  ghcomp_lock_nest25_release(lock);
}

static int ghcomp_omp_test_old_nest_lock(struct nest_lock_25 *lock)
{
  return ghcomp_program_lock_note(ghcomp_lock_nest25_try(lock));
}

/* ------------------------------------------------------------------- their names */

/* A version node is bound to a name of its own, because older assemblers bind a name to one.  */
#define NAME(bind, node, name, internal, code)                                                     \
  extern __typeof__(code) internal __attribute__((alias(#code), visibility("default"), used)); \
  bind(#internal, name, node)

/* The code behind a routine's names: C's now and of 2.5, Fortran's now and of 2.5.  */
#define ROUTINE(name, c_30, c_25, f_30, f_25)                                \
  NAME(BORDER_CURRENT, "OMP_3.0", #name, ghcomp_c30_##name, c_30);      \
  NAME(BORDER_OLD, "OMP_1.0", #name, ghcomp_c25_##name, c_25);          \
  NAME(BORDER_CURRENT, "OMP_3.0", #name "_", ghcomp_f30_##name, f_30); \
  NAME(BORDER_OLD, "OMP_1.0", #name "_", ghcomp_f25_##name, f_25)

#define SIMPLE(verb)                                                                      \
  ROUTINE(omp_##verb##_lock, ghcomp_omp_##verb##_lock, ghcomp_omp_##verb##_lock,        \
          ghcomp_omp_##verb##_lock, ghcomp_omp_##verb##_lock)
#define NESTABLE(verb)                                                                    \
  ROUTINE(omp_##verb##_nest_lock, ghcomp_omp_##verb##_nest_lock,                         \
          ghcomp_omp_##verb##_old_nest_lock, ghcomp_omp_##verb##_nest_lock,              \
          ghcomp_omp_##verb##_old_nest_lock)

SIMPLE(init);
SIMPLE(destroy);
SIMPLE(set);
SIMPLE(unset);
SIMPLE(test);
NAME(BORDER_CURRENT, "VERSION", "omp_init_nest_lock", ghcomp_far_omp_init_nest_lock, ghcomp_omp_init_far_nest_lock);
NAME(BORDER_OLD, "OMP_3.0", "omp_init_nest_lock", ghcomp_c30_omp_init_nest_lock, ghcomp_omp_init_nest_lock);
NAME(BORDER_OLD, "OMP_1.0", "omp_init_nest_lock", ghcomp_c25_omp_init_nest_lock, ghcomp_omp_init_old_nest_lock);
NAME(BORDER_CURRENT, "OMP_3.0", "omp_init_nest_lock_", ghcomp_f30_omp_init_nest_lock, ghcomp_omp_init_far_nest_lock);
NAME(BORDER_OLD, "OMP_1.0", "omp_init_nest_lock_", ghcomp_f25_omp_init_nest_lock, ghcomp_omp_init_old_nest_lock);
NESTABLE(destroy);
NESTABLE(set);
NESTABLE(unset);
NESTABLE(test);
