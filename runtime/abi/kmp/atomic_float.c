/* Atomic updates of real and complex numbers.  See atomic.h.  */
#include "abi/kmp/atomic.h"

ENTRY_POINTS(kmp_atomic_float);

/* ------------------------------------------------------------------ real numbers */

#define REAL(TYPE, T, BYTES)                                                           \
  BOTH(TYPE, T, BYTES, add, T, old + rhs)                                              \
  BOTH(TYPE, T, BYTES, sub, T, old - rhs)                                              \
  BOTH(TYPE, T, BYTES, mul, T, old *rhs)                                               \
  BOTH(TYPE, T, BYTES, div, T, old / rhs)                                              \
  BOTH(TYPE, T, BYTES, max, T, old < rhs ? rhs : old)                                  \
  BOTH(TYPE, T, BYTES, min, T, old > rhs ? rhs : old)                                  \
  BOTH_REVERSED(TYPE, T, BYTES, sub, T, rhs - old)                                     \
  BOTH_REVERSED(TYPE, T, BYTES, div, T, rhs / old)                                     \
  ACCESS(TYPE, T, BYTES)                                                               \
  EXCHANGE(TYPE, T, BYTES)

REAL(float4, float, 4)
REAL(float8, double, 8)
REAL(float10, long double, WIDE)
QUAD_OPERATIONS(float4, float, 4)
QUAD_OPERATIONS(float8, double, 8)
QUAD_OPERATIONS(float10, long double, WIDE)
#ifdef __SIZEOF_FLOAT128__
REAL(float16, quad, WIDE)
#endif

PLAIN(float4, float, 4, add_float8, double, old + rhs)
PLAIN(float4, float, 4, sub_float8, double, old - rhs)
PLAIN(float4, float, 4, mul_float8, double, old *rhs)
PLAIN(float4, float, 4, div_float8, double, old / rhs)

/* --------------------------------------------------------------- complex numbers */

/* CAPTURING: how a value is returned.  */
#define COMPLEX(TYPE, T, BYTES, CAPTURING)                                             \
  PLAIN(TYPE, T, BYTES, add, T, old + rhs)                                             \
  PLAIN(TYPE, T, BYTES, sub, T, old - rhs)                                             \
  PLAIN(TYPE, T, BYTES, mul, T, old *rhs)                                              \
  PLAIN(TYPE, T, BYTES, div, T, old / rhs)                                             \
  PLAIN(TYPE, T, BYTES, sub_rev, T, rhs - old)                                         \
  PLAIN(TYPE, T, BYTES, div_rev, T, rhs / old)                                         \
  CAPTURING(TYPE, T, BYTES, add_cpt, T, old + rhs)                                     \
  CAPTURING(TYPE, T, BYTES, sub_cpt, T, old - rhs)                                     \
  CAPTURING(TYPE, T, BYTES, mul_cpt, T, old *rhs)                                      \
  CAPTURING(TYPE, T, BYTES, div_cpt, T, old / rhs)                                     \
  CAPTURING(TYPE, T, BYTES, sub_cpt_rev, T, rhs - old)                                 \
  CAPTURING(TYPE, T, BYTES, div_cpt_rev, T, rhs / old)                                 \
  ACCESS(TYPE, T, BYTES)

/* Compilers disagree about how a complex float is returned, so these write it to memory.  */
#define CAPTURE_OUT(TYPE, T, BYTES, name, R, f)                                        \
  EXPORT void __kmpc_atomic_##TYPE##_##name(PLACE, T *lhs, R rhs, T *out, int flag)    \
  {                                                                                    \
    T old, now;                                                                        \
    UNUSED_PLACE;                                                                      \
    UPDATE_##BYTES(T, lhs, old, now, f);                                               \
    *out = flag != 0 ? now : old;                                                      \
  }

COMPLEX(cmplx4, float _Complex, 8, CAPTURE_OUT)
COMPLEX(cmplx8, double _Complex, WIDE, CAPTURE)
COMPLEX(cmplx10, long double _Complex, WIDE, CAPTURE)
EXCHANGE(cmplx8, double _Complex, WIDE)
EXCHANGE(cmplx10, long double _Complex, WIDE)
#ifdef __SIZEOF_FLOAT128__
typedef _Complex float quad_complex __attribute__((mode(TC)));
COMPLEX(cmplx16, quad_complex, WIDE, CAPTURE)
EXCHANGE(cmplx16, quad_complex, WIDE)
#endif

EXPORT void __kmpc_atomic_cmplx4_swp(PLACE, float _Complex *lhs, float _Complex rhs, float _Complex *out)
{
  float _Complex old, now;
  UNUSED_PLACE;
  UPDATE_8(float _Complex, lhs, old, now, rhs);
  *out = old;
}

PLAIN(cmplx4, float _Complex, 8, add_cmplx8, double _Complex, old + rhs)
PLAIN(cmplx4, float _Complex, 8, sub_cmplx8, double _Complex, old - rhs)
PLAIN(cmplx4, float _Complex, 8, mul_cmplx8, double _Complex, old *rhs)
PLAIN(cmplx4, float _Complex, 8, div_cmplx8, double _Complex, old / rhs)
