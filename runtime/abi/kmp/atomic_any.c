/* Atomic updates by a function of the program, compare and swap, and the lock of everything else.
   See atomic.h.  */
#include "abi/kmp/atomic.h"

ENTRY_POINTS(kmp_atomic_any);

/* result = lhs op rhs; the result may be the left-hand side.  */
typedef void operation(void *result, void *lhs, void *rhs);

#define ANY_WORD(N, WORD)                                                              \
  EXPORT void __kmpc_atomic_##N(PLACE, void *lhs, void *rhs, operation *operate)       \
  {                                                                                    \
    WORD old, now;                                                                     \
    UNUSED_PLACE;                                                                      \
    UPDATE_WORD(WORD, WORD, lhs, old, now, (operate(&now, &old, rhs), now));           \
  }

ANY_WORD(1, uint8_t)
ANY_WORD(2, uint16_t)
ANY_WORD(4, uint32_t)
ANY_WORD(8, uint64_t)

/* 10 and 20 are long double and a complex one: the bytes that count.  */
#define ANY_WIDE(N)                                                                    \
  EXPORT void __kmpc_atomic_##N(PLACE, void *lhs, void *rhs, operation *operate)       \
  {                                                                                    \
    UNUSED_PLACE;                                                                      \
    ghcomp_program_lock_acquire(&ghcomp_atomic_fallback.word);                         \
    operate(lhs, lhs, rhs);                                                            \
    ghcomp_program_lock_release(&ghcomp_atomic_fallback.word);                         \
  }

ANY_WIDE(10)
ANY_WIDE(16)
ANY_WIDE(20)
ANY_WIDE(32)

EXPORT void __kmpc_atomic_start(void)
{
  ghcomp_program_lock_acquire(&ghcomp_atomic_fallback.word);
}

EXPORT void __kmpc_atomic_end(void)
{
  ghcomp_program_lock_release(&ghcomp_atomic_fallback.word);
}

/* -------------------------------------------------------------- compare and swap */

/* The value before.  */
#define COMPARE_AND_SWAP(N, T)                                                         \
  static T swap_##N(T *place, T expected, T desired)                                   \
  {                                                                                    \
    T old = expected, now;                                                             \
    if (likely(is_aligned(place, N)))                                                  \
      cas_seq_cst((_Atomic T *)place, &old, desired); /* pairs with those of the same variable */ \
    else                                                                               \
      UPDATE_MISALIGNED(T, place, old, now, old == expected ? desired : old);          \
    return old;                                                                        \
  }                                                                                    \
  EXPORT bool __kmpc_atomic_bool_##N##_cas(PLACE, T *place, T expected, T desired)     \
  {                                                                                    \
    UNUSED_PLACE;                                                                      \
    return swap_##N(place, expected, desired) == expected;                             \
  }                                                                                    \
  EXPORT T __kmpc_atomic_val_##N##_cas(PLACE, T *place, T expected, T desired)         \
  {                                                                                    \
    UNUSED_PLACE;                                                                      \
    return swap_##N(place, expected, desired);                                         \
  }                                                                                    \
  /* The value goes to *found where it was not the expected one.  */                   \
  EXPORT bool __kmpc_atomic_bool_##N##_cas_cpt(PLACE, T *place, T expected, T desired, T *found) \
  {                                                                                    \
    UNUSED_PLACE;                                                                      \
    T old = swap_##N(place, expected, desired);                                        \
    if (old != expected)                                                               \
      *found = old;                                                                    \
    return old == expected;                                                            \
  }                                                                                    \
  /* *after: what is there now.  */                                                    \
  EXPORT T __kmpc_atomic_val_##N##_cas_cpt(PLACE, T *place, T expected, T desired, T *after) \
  {                                                                                    \
    UNUSED_PLACE;                                                                      \
    T old = swap_##N(place, expected, desired);                                        \
    *after = old == expected ? desired : old;                                          \
    return old;                                                                        \
  }

COMPARE_AND_SWAP(1, int8_t)
COMPARE_AND_SWAP(2, int16_t)
COMPARE_AND_SWAP(4, int32_t)
COMPARE_AND_SWAP(8, int64_t)
