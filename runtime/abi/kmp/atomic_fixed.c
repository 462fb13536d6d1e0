/* Atomic updates of integers.  See atomic.h.  */
#include "abi/kmp/atomic.h"

ENTRY_POINTS(kmp_atomic_fixed);

/* Where the processor has an instruction.  */
#define BY_INSTRUCTION(TYPE, T, BYTES, name, OPERATION, operand, f)                    \
  EXPORT void __kmpc_atomic_##TYPE##_##name(PLACE, T *lhs, T rhs)                      \
  {                                                                                    \
    T old, now;                                                                        \
    UNUSED_PLACE;                                                                      \
    if (likely(is_aligned(lhs, sizeof(T))))                                            \
      OPERATION((_Atomic T *)lhs, (T)(operand)); /* pairs with those of the same variable */ \
    else                                                                               \
      UPDATE_MISALIGNED(T, lhs, old, now, f);                                          \
  }                                                                                    \
  EXPORT T __kmpc_atomic_##TYPE##_##name##_cpt(PLACE, T *lhs, T rhs, int flag)         \
  {                                                                                    \
    T old, now;                                                                        \
    UNUSED_PLACE;                                                                      \
    if (likely(is_aligned(lhs, sizeof(T)))) {                                          \
      old = OPERATION((_Atomic T *)lhs, (T)(operand)); /* the same */                  \
      now = (T)(f);                                                                    \
    } else {                                                                           \
      UPDATE_MISALIGNED(T, lhs, old, now, f);                                          \
    }                                                                                  \
    return flag != 0 ? now : old;                                                      \
  }

/* neqv and eqv are Fortran's, on all bits; andl and orl are C's && and ||.  */
#define FIXED(TYPE, T, BYTES)                                                          \
  BY_INSTRUCTION(TYPE, T, BYTES, add, add_seq_cst, rhs, (u##T)old + (u##T)rhs)         \
  BY_INSTRUCTION(TYPE, T, BYTES, sub, sub_seq_cst, rhs, (u##T)old - (u##T)rhs)         \
  BY_INSTRUCTION(TYPE, T, BYTES, andb, and_seq_cst, rhs, old & rhs)                    \
  BY_INSTRUCTION(TYPE, T, BYTES, orb, or_seq_cst, rhs, old | rhs)                      \
  BY_INSTRUCTION(TYPE, T, BYTES, xor, xor_seq_cst, rhs, old ^ rhs)                     \
  BY_INSTRUCTION(TYPE, T, BYTES, neqv, xor_seq_cst, rhs, old ^ rhs)                    \
  BY_INSTRUCTION(TYPE, T, BYTES, eqv, xor_seq_cst, ~rhs, old ^ ~rhs)                   \
  BOTH(TYPE, T, BYTES, mul, T, (uint64_t)old * (uint64_t)rhs)                          \
  BOTH(TYPE, T, BYTES, div, T, old / rhs)                                              \
  BOTH(TYPE, T, BYTES, shl, T, old << rhs)                                             \
  BOTH(TYPE, T, BYTES, shr, T, old >> rhs)                                             \
  BOTH(TYPE, T, BYTES, max, T, old < rhs ? rhs : old)                                  \
  BOTH(TYPE, T, BYTES, min, T, old > rhs ? rhs : old)                                  \
  BOTH(TYPE, T, BYTES, andl, T, old && rhs)                                            \
  BOTH(TYPE, T, BYTES, orl, T, old || rhs)                                             \
  BOTH_REVERSED(TYPE, T, BYTES, sub, T, (u##T)rhs - (u##T)old)                         \
  BOTH_REVERSED(TYPE, T, BYTES, div, T, rhs / old)                                     \
  BOTH_REVERSED(TYPE, T, BYTES, shl, T, rhs << old)                                    \
  BOTH_REVERSED(TYPE, T, BYTES, shr, T, rhs >> old)                                    \
  PLAIN(TYPE, T, BYTES, mul_float8, double, old * rhs)                                 \
  PLAIN(TYPE, T, BYTES, div_float8, double, old / rhs)                                 \
  ACCESS(TYPE, T, BYTES)                                                               \
  EXCHANGE(TYPE, T, BYTES)                                                             \
  QUAD_OPERATIONS(TYPE, T, BYTES)

/* What differs without a sign.  */
#define UNSIGNED(TYPE, T, BYTES)                                                       \
  BOTH(TYPE, T, BYTES, div, T, old / rhs)                                              \
  BOTH(TYPE, T, BYTES, shr, T, old >> rhs)                                             \
  BOTH_REVERSED(TYPE, T, BYTES, div, T, rhs / old)                                     \
  BOTH_REVERSED(TYPE, T, BYTES, shr, T, rhs >> old)                                    \
  QUAD_OPERATIONS(TYPE, T, BYTES)

FIXED(fixed1, int8_t, 1)
FIXED(fixed2, int16_t, 2)
FIXED(fixed4, int32_t, 4)
FIXED(fixed8, int64_t, 8)
UNSIGNED(fixed1u, uint8_t, 1)
UNSIGNED(fixed2u, uint16_t, 2)
UNSIGNED(fixed4u, uint32_t, 4)
UNSIGNED(fixed8u, uint64_t, 8)
