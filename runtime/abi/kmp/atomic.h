/* Atomic updates by name, __kmpc_atomic_TYPE_OPERATION[_cpt][_rev][_RHSTYPE]: what Intel's compilers call
   where others emit instructions or call libatomic.

   TYPE is fixed1 … fixed8 (u: unsigned), float4, float8, float10, float16, cmplx4 … cmplx16: the bytes are
   those of the value, and of a part of a complex one.  _rev: the operands change places.  _cpt: returns the
   new value if its flag is not 0, else the old one.  _rd, _wr and _swp read, write and exchange.

   All names of one type exclude each other, also those of __kmpc_atomic_N.  A value of up to 8 bytes at its
   own alignment is changed by compare and swap of its bits.  All others are changed under one lock, which
   is also that of GOMP_atomic_start: so code of GCC excludes them too.  Which of the two it is depends on
   the size and the address alone, so everybody who changes a variable does it the same way.

   Sequentially consistent: the names do not say what the directive asked for.  */
#ifndef GHCOMP_ABI_KMP_ATOMIC_H
#define GHCOMP_ABI_KMP_ATOMIC_H

#include "abi/kmp/kmp.h"
#include "wait/program_lock.h"

#include <string.h>

extern struct own_lock ghcomp_atomic_fallback; /* critical.c */

/* What every one of them begins with; nobody looks at the two.  */
#define PLACE struct kmp_ident *where, int32_t gtid
#define UNUSED_PLACE ((void)where, (void)gtid)

static inline bool is_aligned(const void *address, size_t size)
{
  return ((uintptr_t)address & (size - 1)) == 0;
}

/* The lock of a value that is not at its own alignment.  Such values are rare, and some hundred functions have this
   path: called, it leaves them short.  */
static __attribute__((cold, noinline, unused)) void acquire_for_misaligned(void)
{
  ghcomp_program_lock_acquire(&ghcomp_atomic_fallback.word);
}

static __attribute__((cold, noinline, unused)) void release_for_misaligned(void)
{
  ghcomp_program_lock_release(&ghcomp_atomic_fallback.word);
}

/* The statement NOW = f(OLD) on *LHS, of type T, under the lock.  */
#define UPDATE_BETWEEN(acquire, release, T, lhs, old, now, f)                          \
  do {                                                                                 \
    acquire;                                                                           \
    memcpy(&old, lhs, sizeof old);                                                     \
    now = (T)(f);                                                                      \
    memcpy(lhs, &now, sizeof now);                                                     \
    release;                                                                           \
  } while (0)
#define UPDATE_MISALIGNED(...) UPDATE_BETWEEN(acquire_for_misaligned(), release_for_misaligned(), __VA_ARGS__)
#define UPDATE_LOCKED(...)                                                             \
  UPDATE_BETWEEN(ghcomp_program_lock_acquire(&ghcomp_atomic_fallback.word),            \
                 ghcomp_program_lock_release(&ghcomp_atomic_fallback.word), __VA_ARGS__)

/* The same for a value of the size of WORD.  Where the bits stay as they are nothing is written: max and
   min mostly change nothing.  Pairs with the other operations on the same variable.  */
#define UPDATE_WORD(WORD, T, lhs, old, now, f)                                         \
  do {                                                                                 \
    if (unlikely(!is_aligned(lhs, sizeof(WORD)))) {                                    \
      UPDATE_MISALIGNED(T, lhs, old, now, f);                                          \
      break;                                                                           \
    }                                                                                  \
    WORD seen = load_seq_cst((_Atomic WORD *)lhs), next;                               \
    do {                                                                               \
      memcpy(&old, &seen, sizeof old);                                                 \
      now = (T)(f);                                                                    \
      memcpy(&next, &now, sizeof next);                                                \
    } while (next != seen && !cas_seq_cst((_Atomic WORD *)lhs, &seen, next));          \
  } while (0)

#define UPDATE_1(...) UPDATE_WORD(uint8_t, __VA_ARGS__)
#define UPDATE_2(...) UPDATE_WORD(uint16_t, __VA_ARGS__)
#define UPDATE_4(...) UPDATE_WORD(uint32_t, __VA_ARGS__)
#define UPDATE_8(...) UPDATE_WORD(uint64_t, __VA_ARGS__)
#define UPDATE_WIDE(...) UPDATE_LOCKED(__VA_ARGS__)

/* OLD = *LHS, which may be in memory that nobody can write to.  */
#define READ_LOCKED(T, lhs, old)                                                       \
  do {                                                                                 \
    ghcomp_program_lock_acquire(&ghcomp_atomic_fallback.word);                         \
    memcpy(&old, lhs, sizeof old);                                                     \
    ghcomp_program_lock_release(&ghcomp_atomic_fallback.word);                         \
  } while (0)
#define READ_WORD(WORD, T, lhs, old)                                                   \
  do {                                                                                 \
    if (likely(is_aligned(lhs, sizeof(WORD)))) {                                       \
      WORD seen = load_seq_cst((_Atomic WORD *)lhs); /* pairs with the updates */      \
      memcpy(&old, &seen, sizeof old);                                                 \
    } else {                                                                           \
      READ_LOCKED(T, lhs, old);                                                        \
    }                                                                                  \
  } while (0)

#define READ_1(...) READ_WORD(uint8_t, __VA_ARGS__)
#define READ_2(...) READ_WORD(uint16_t, __VA_ARGS__)
#define READ_4(...) READ_WORD(uint32_t, __VA_ARGS__)
#define READ_8(...) READ_WORD(uint64_t, __VA_ARGS__)
#define READ_WIDE(...) READ_LOCKED(__VA_ARGS__)

/* Below, TYPE is the name's, T the C type, BYTES what UPDATE_ ends with, R the right-hand side's C type, and
   f an expression of `old` and `rhs`.  */

/* __kmpc_atomic_TYPE_NAME.  */
#define PLAIN(TYPE, T, BYTES, name, R, f)                                              \
  EXPORT void __kmpc_atomic_##TYPE##_##name(PLACE, T *lhs, R rhs)                      \
  {                                                                                    \
    T old, now;                                                                        \
    UNUSED_PLACE;                                                                      \
    UPDATE_##BYTES(T, lhs, old, now, f);                                               \
  }

/* __kmpc_atomic_TYPE_NAME; the name has _cpt in it.  */
#define CAPTURE(TYPE, T, BYTES, name, R, f)                                            \
  EXPORT T __kmpc_atomic_##TYPE##_##name(PLACE, T *lhs, R rhs, int flag)               \
  {                                                                                    \
    T old, now;                                                                        \
    UNUSED_PLACE;                                                                      \
    UPDATE_##BYTES(T, lhs, old, now, f);                                               \
    return flag != 0 ? now : old;                                                      \
  }

#define BOTH(TYPE, T, BYTES, name, R, f)                                               \
  PLAIN(TYPE, T, BYTES, name, R, f)                                                    \
  CAPTURE(TYPE, T, BYTES, name##_cpt, R, f)

#define BOTH_REVERSED(TYPE, T, BYTES, name, R, f)                                      \
  PLAIN(TYPE, T, BYTES, name##_rev, R, f)                                              \
  CAPTURE(TYPE, T, BYTES, name##_cpt_rev, R, f)

/* The right-hand side is a __float128, in which the operation is done.  libiomp5 has these.  */
#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad;
#define QUAD_OPERATION(TYPE, T, BYTES, name, op)                                       \
  PLAIN(TYPE, T, BYTES, name##_fp, quad, old op rhs)                                   \
  CAPTURE(TYPE, T, BYTES, name##_cpt_fp, quad, old op rhs)
#define QUAD_REVERSED(TYPE, T, BYTES, name, op)                                        \
  PLAIN(TYPE, T, BYTES, name##_rev_fp, quad, rhs op old)                               \
  CAPTURE(TYPE, T, BYTES, name##_cpt_rev_fp, quad, rhs op old)
#define QUAD_OPERATIONS(TYPE, T, BYTES)                                                \
  QUAD_OPERATION(TYPE, T, BYTES, add, +)                                               \
  QUAD_OPERATION(TYPE, T, BYTES, sub, -)                                               \
  QUAD_OPERATION(TYPE, T, BYTES, mul, *)                                               \
  QUAD_OPERATION(TYPE, T, BYTES, div, /)                                               \
  QUAD_REVERSED(TYPE, T, BYTES, sub, -)                                                \
  QUAD_REVERSED(TYPE, T, BYTES, div, /)
#else
#define QUAD_OPERATIONS(TYPE, T, BYTES)
#endif

/* Reading, writing and exchanging.  */
#define ACCESS(TYPE, T, BYTES)                                                         \
  EXPORT T __kmpc_atomic_##TYPE##_rd(PLACE, T *place)                                  \
  {                                                                                    \
    T old;                                                                             \
    UNUSED_PLACE;                                                                      \
    READ_##BYTES(T, place, old);                                                       \
    return old;                                                                        \
  }                                                                                    \
  PLAIN(TYPE, T, BYTES, wr, T, rhs)
#define EXCHANGE(TYPE, T, BYTES)                                                       \
  EXPORT T __kmpc_atomic_##TYPE##_swp(PLACE, T *lhs, T rhs)                            \
  {                                                                                    \
    T old, now;                                                                        \
    UNUSED_PLACE;                                                                      \
    UPDATE_##BYTES(T, lhs, old, now, rhs);                                             \
    return old;                                                                        \
  }

#endif
