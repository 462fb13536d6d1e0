/* Where a nestable lock is.

   The variable has 16 bytes in GCC's omp.h, and 8 in LLVM's and in every Fortran module.  In 16 bytes the
   lock is the variable.  In 8 bytes there is the address of one, with a mark in its lowest byte, where a
   lock has its state.  So every routine but init finds out for itself, and a lock that code of one compiler
   made can be passed to code of another.  */
#ifndef GHCOMP_ABI_NEST_LOCK_H
#define GHCOMP_ABI_NEST_LOCK_H

#include "abi/border.h"
#include "base/memory.h"
#include "wait/program_lock.h"

#include <string.h>

#define NEST_LOCK_ELSEWHERE ((uintptr_t)4)
_Static_assert(LOCK_FREE < 4 && LOCK_HELD < 4 && LOCK_CONTENDED < 4, "the mark is in no lock's state");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the address begins with the byte that has the mark");

/* Whoever changes the first byte of a variable with an address ends the lock.  */
static inline bool ghcomp_nest_lock_is_elsewhere(const void *variable)
{
  return unlikely((load_relaxed((const lock_word *)variable) & NEST_LOCK_ELSEWHERE) != 0);
}

static inline struct nest_lock *ghcomp_nest_lock_of(void *variable)
{
  if (!ghcomp_nest_lock_is_elsewhere(variable))
    return variable;
  uintptr_t address;
  memcpy(&address, variable, sizeof address);
  return (struct nest_lock *)(address - NEST_LOCK_ELSEWHERE);
}

/* In 8 bytes.  */
static inline void ghcomp_nest_lock_make(void *variable)
{
  uintptr_t address = (uintptr_t)ghcomp_memory_get_zero(sizeof(struct nest_lock)) + NEST_LOCK_ELSEWHERE;
  memcpy(variable, &address, sizeof address);
}

static inline void ghcomp_nest_lock_end(void *variable)
{
  if (!ghcomp_nest_lock_is_elsewhere(variable))
    return;
  ghcomp_memory_release(ghcomp_nest_lock_of(variable));
  memset(variable, 0, sizeof(uintptr_t));
}

static inline void *ghcomp_nest_lock_owner(void)
{
  return ghcomp_self()->member->task;
}

static inline void ghcomp_nest_lock_set(void *variable)
{
  ghcomp_program_lock_note(ghcomp_lock_nest_acquire(ghcomp_nest_lock_of(variable), ghcomp_nest_lock_owner()));
}

static inline void ghcomp_nest_lock_unset(void *variable)
{
  struct nest_lock *lock = ghcomp_nest_lock_of(variable);
  ghcomp_program_lock_note_release(lock->count);
  ghcomp_lock_nest_release(lock);
}

static inline int ghcomp_nest_lock_test(void *variable)
{
  return ghcomp_program_lock_note(ghcomp_lock_nest_try(ghcomp_nest_lock_of(variable), ghcomp_nest_lock_owner()));
}

#endif
