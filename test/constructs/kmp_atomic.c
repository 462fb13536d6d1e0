/* Every __kmpc_atomic_* name is compared with plain arithmetic, first in one thread, then in several.

   If an operation can be repeated (add 1, or 100 - x, which gives x again after two), all threads
   execute it, and the final value shows whether an update was lost.  For others (max), some threads
   execute the operation with a value that changes nothing while the rest add 1 by the type's own
   name: a lost addition shows that the two do not exclude each other.  All names in
   test/abi/llvm-14.exports must be tested; libiomp5's further names (of 16 bytes) are tested too.
   link: -lm */
#include <complex.h>
#include <dlfcn.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, TIMES = 2001, MOST_NAMES = 1000 };

typedef __float128 quad;
typedef _Complex float quad_complex __attribute__((mode(TC)));
typedef float complex complex4;
typedef double complex complex8;
typedef long double complex complex10;

static int failures;

#define FAIL(...) (failures++ < 20 ? printf(__VA_ARGS__), putchar('\n') : 0)

/* The calling thread's number, for runtimes that use that argument.  */
static int (*number)(void *);
#define ME (number(NULL))

/* ------------------------------------------------------------------------- names */

static char *looked_up[MOST_NAMES];
static unsigned names;

/* Names that libomp does not have.  */
static bool is_further(const char *name)
{
  size_t length = strlen(name);
  return strstr(name, "float16") != NULL || strstr(name, "cmplx16") != NULL ||
         (length > 3 && strcmp(name + length - 3, "_fp") == 0);
}

/* NULL: a further name, and the runtime under test is not ours.  */
static void *look(const char *name)
{
  void *function = dlsym(RTLD_DEFAULT, name);
  if (names < MOST_NAMES)
    looked_up[names++] = strdup(name);
  if (function == NULL && (!is_further(name) || dlsym(RTLD_DEFAULT, "ghcomp_version") != NULL))
    FAIL("%s is missing", name);
  return function;
}

static bool was_looked_up(const char *name)
{
  for (unsigned i = 0; i < names; i++)
    if (strcmp(looked_up[i], name) == 0)
      return true;
  return false;
}

static void check_list(const char *path)
{
  char line[200];
  unsigned listed = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    FAIL("%s cannot be read", path);
    return;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "@\n")] = '\0';
    if (strncmp(line, "__kmpc_atomic_", 14) != 0)
      continue;
    listed++;
    if (!was_looked_up(line))
      FAIL("%s: in the list, and not tested", line);
  }
  if (listed != 340)
    FAIL("%s has %u names of atomics, not 340", path, listed);
  fclose(file);
}

/* --------------------------------------------------------------------- one shape */

/* What several threads do: all execute the operation with `rhs`; or one thread does, with no effect,
   and the others add 1, or (logical operations, on 0 and 1) exclusive-or with 1.  */
enum crowd { ALL, BESIDE_ADD, BESIDE_XOR };

/* f: an expression of `old` and `rhs`.  valid: where it is defined.  CALL: result = the captured value.  */
#define OPERATION(TYPE, T, R, name, cpt_name, f, valid, CAPTURING, crowd, start, operand, times)  \
  static void test_##TYPE##_##name(void)                                                          \
  {                                                                                               \
    void (*plain)(void *, int, T *, R) = look("__kmpc_atomic_" #TYPE "_" #name);                  \
    CAPTURING##_POINTER(T, R) = CAPTURING##_LOOK("__kmpc_atomic_" #TYPE "_" #cpt_name);           \
    void (*add)(void *, int, T *, T) = dlsym(RTLD_DEFAULT, "__kmpc_atomic_" PARTNER_##TYPE "_add"); \
    void (*xor)(void *, int, T *, T) = dlsym(RTLD_DEFAULT, "__kmpc_atomic_" PARTNER_##TYPE "_xor"); \
    static const int lefts[] = {1, 2, 3, 5, 6, -4}, rights[] = {1, 2, 3, 5};                      \
    (void)xor;                                                                                    \
    if (plain == NULL)                                                                            \
      return;                                                                                     \
    for (unsigned i = 0; i < sizeof lefts / sizeof *lefts; i++)                                   \
      for (unsigned j = 0; j < sizeof rights / sizeof *rights; j++) {                             \
        T old = lefts[i], x = old, y = old, z = old, to_old, to_new;                              \
        R rhs = rights[j];                                                                        \
        if (!(valid))                                                                             \
          continue;                                                                               \
        T expected = (T)(f);                                                                      \
        plain(NULL, ME, &x, rhs);                                                                  \
        if (x != expected)                                                                        \
          FAIL(#TYPE "_" #name "(%d, %d)", lefts[i], rights[j]);                                  \
        CAPTURING##_CALL(to_old, y, rhs, 0);                                                      \
        CAPTURING##_CALL(to_new, z, rhs, 1);                                                      \
        if (y != expected || z != expected || to_old != CAPTURING##_OLD(old, expected) || to_new != expected) \
          FAIL(#TYPE "_" #cpt_name "(%d, %d)", lefts[i], rights[j]);                              \
      }                                                                                           \
    _Alignas(64) static T shared;                                                                 \
    int each = (times), rounds = each < 100 ? 400 : 1;                                            \
    for (int round = 0; round < rounds; round++) {                                                \
      shared = (start);                                                                           \
      _Pragma("omp parallel num_threads(THREADS)")                                                \
      {                                                                                           \
        T unused;                                                                                 \
        bool partner = (crowd) != ALL && omp_get_thread_num() != 0;                               \
        (void)unused;                                                                             \
        for (int i = 0; i < each; i++) {                                                          \
          if (partner && (crowd) == BESIDE_ADD)                                                   \
            add(NULL, ME, &shared, 1);                                                             \
          else if (partner)                                                                       \
            xor(NULL, ME, &shared, 1);                                                             \
          else if ((i + round) % 2 == 0)                                                          \
            plain(NULL, ME, &shared, operand);                                                     \
          else                                                                                    \
            CAPTURING##_CALL(unused, shared, operand, i % 4 == 1);                                \
        }                                                                                         \
      }                                                                                           \
      T old = (start);                                                                            \
      R rhs = operand;                                                                            \
      if ((crowd) == ALL)                                                                         \
        for (int i = 0; i < THREADS * each; i++)                                                  \
          old = (T)(f);                                                                           \
      else                                                                                        \
        for (int i = 0; i < (THREADS - 1) * each; i++)                                            \
          old = (crowd) == BESIDE_ADD ? old + (T)1 : (T)(old == (T)0);                            \
      (void)rhs;                                                                                  \
      if (shared != old)                                                                          \
        FAIL(#TYPE "_" #name " by several threads: updates are lost");                            \
    }                                                                                             \
  }

/* How the captured value comes back: returned, through a pointer, or not at all; then plain is used.  */
#define RETURNED_POINTER(T, R) T (*capture)(void *, int, T *, R, int)
#define RETURNED_LOOK(name) look(name)
#define RETURNED_CALL(result, x, rhs, flag) (result = capture(NULL, ME, &x, rhs, flag))
#define RETURNED_OLD(old, expected) (old)
#define WRITTEN_POINTER(T, R) void (*capture)(void *, int, T *, R, T *, int)
#define WRITTEN_LOOK(name) look(name)
#define WRITTEN_CALL(result, x, rhs, flag) capture(NULL, ME, &x, rhs, &result, flag)
#define WRITTEN_OLD(old, expected) (old)
#define NONE_POINTER(T, R) int capture
#define NONE_LOOK(name) 0
#define NONE_CALL(result, x, rhs, flag) (plain(NULL, capture, &x, rhs), result = x)
#define NONE_OLD(old, expected) (expected)

/* ------------------------------------------------------------------- integers */

#define PARTNER_fixed1 "fixed1"
#define PARTNER_fixed2 "fixed2"
#define PARTNER_fixed4 "fixed4"
#define PARTNER_fixed8 "fixed8"
#define PARTNER_fixed1u "fixed1"
#define PARTNER_fixed2u "fixed2"
#define PARTNER_fixed4u "fixed4"
#define PARTNER_fixed8u "fixed8"

#define LEAST(T) (T)((T)1 << (8 * sizeof(T) - 1))
#define WIDER(x) ((uint64_t)(x))
#define FIXED_ROWS(ROW, TYPE, T)                                                                  \
  ROW(TYPE, T, T, add, add_cpt, WIDER(old) + WIDER(rhs), true, RETURNED, ALL, 0, 1, TIMES)        \
  ROW(TYPE, T, T, sub, sub_cpt, WIDER(old) - WIDER(rhs), true, RETURNED, ALL, 0, 1, TIMES)        \
  ROW(TYPE, T, T, mul, mul_cpt, WIDER(old) * WIDER(rhs), true, RETURNED, ALL, 1, 3, TIMES)        \
  ROW(TYPE, T, T, div, div_cpt, old / rhs, true, RETURNED, BESIDE_ADD, 0, 1, TIMES)               \
  ROW(TYPE, T, T, andb, andb_cpt, old & rhs, true, RETURNED, BESIDE_ADD, 0, -1, TIMES)            \
  ROW(TYPE, T, T, orb, orb_cpt, old | rhs, true, RETURNED, BESIDE_ADD, 0, 0, TIMES)               \
  ROW(TYPE, T, T, xor, xor_cpt, old ^ rhs, true, RETURNED, BESIDE_ADD, 0, 0, TIMES)               \
  ROW(TYPE, T, T, neqv, neqv_cpt, old ^ rhs, true, RETURNED, BESIDE_ADD, 0, 0, TIMES)             \
  ROW(TYPE, T, T, eqv, eqv_cpt, ~(old ^ rhs), true, RETURNED, BESIDE_ADD, 0, -1, TIMES)           \
  ROW(TYPE, T, T, shl, shl_cpt, WIDER(old) << rhs, true, RETURNED, BESIDE_ADD, 0, 0, TIMES)       \
  ROW(TYPE, T, T, shr, shr_cpt, old >> rhs, true, RETURNED, BESIDE_ADD, 0, 0, TIMES)              \
  ROW(TYPE, T, T, max, max_cpt, old > rhs ? old : rhs, true, RETURNED, BESIDE_ADD, 0, LEAST(T), TIMES) \
  ROW(TYPE, T, T, min, min_cpt, old < rhs ? old : rhs, true, RETURNED, BESIDE_ADD, 0, (T)~LEAST(T), TIMES) \
  ROW(TYPE, T, T, andl, andl_cpt, old != 0 && rhs != 0, true, RETURNED, BESIDE_XOR, 0, 1, TIMES)  \
  ROW(TYPE, T, T, orl, orl_cpt, old != 0 || rhs != 0, true, RETURNED, BESIDE_XOR, 0, 0, TIMES)    \
  ROW(TYPE, T, T, sub_rev, sub_cpt_rev, WIDER(rhs) - WIDER(old), true, RETURNED, ALL, 5, 100, TIMES) \
  ROW(TYPE, T, T, div_rev, div_cpt_rev, rhs / old, true, RETURNED, ALL, 4, 36, TIMES)             \
  ROW(TYPE, T, T, shl_rev, shl_cpt_rev, WIDER(rhs) << old, old > 0, RETURNED, ALL, 0, 1, 1)       \
  ROW(TYPE, T, T, shr_rev, shr_cpt_rev, rhs >> old, old > 0, RETURNED, ALL, 0, 1, TIMES)          \
  ROW(TYPE, T, double, mul_float8, none, (double)old * rhs, true, NONE, BESIDE_ADD, 0, 1, TIMES)  \
  ROW(TYPE, T, double, div_float8, none, (double)old / rhs, true, NONE, BESIDE_ADD, 0, 1, TIMES)  \
  QUAD_ROWS(ROW, TYPE, T)

#define UNSIGNED_ROWS(ROW, TYPE, T)                                                               \
  ROW(TYPE, T, T, div, div_cpt, old / rhs, true, RETURNED, BESIDE_ADD, 0, 1, TIMES)               \
  ROW(TYPE, T, T, shr, shr_cpt, old >> rhs, true, RETURNED, BESIDE_ADD, 0, 0, TIMES)              \
  ROW(TYPE, T, T, div_rev, div_cpt_rev, rhs / old, true, RETURNED, ALL, 4, 36, TIMES)             \
  ROW(TYPE, T, T, shr_rev, shr_cpt_rev, rhs >> old, old < 8, RETURNED, ALL, 0, 1, TIMES)          \
  QUAD_ROWS(ROW, TYPE, T)

/* ------------------------------------------------------------- real and complex */

#define PARTNER_float4 "float4"
#define PARTNER_float8 "float8"
#define PARTNER_float10 "float10"
#define PARTNER_float16 "float16"
#define PARTNER_cmplx4 "cmplx4"
#define PARTNER_cmplx8 "cmplx8"
#define PARTNER_cmplx10 "cmplx10"
#define PARTNER_cmplx16 "cmplx16"

/* The result of the wide operation must fit: otherwise its conversion is undefined.  */
#define FITS(T) (rhs >= old || (T)-1 < 0)
#define QUAD_ROWS(ROW, TYPE, T)                                                                   \
  ROW(TYPE, T, quad, add_fp, add_cpt_fp, old + rhs, (T)-1 < 0 || old < 8, RETURNED, BESIDE_ADD, 0, 0, TIMES) \
  ROW(TYPE, T, quad, sub_fp, sub_cpt_fp, old - rhs, (T)-1 < 0 || (old < 8 && old >= rhs), RETURNED, BESIDE_ADD, 0, 0, TIMES) \
  ROW(TYPE, T, quad, mul_fp, mul_cpt_fp, old *rhs, (T)-1 < 0 || old < 8, RETURNED, BESIDE_ADD, 0, 1, TIMES) \
  ROW(TYPE, T, quad, div_fp, div_cpt_fp, old / rhs, true, RETURNED, BESIDE_ADD, 0, 1, TIMES)      \
  ROW(TYPE, T, quad, sub_rev_fp, sub_cpt_rev_fp, rhs - old, FITS(T), RETURNED, ALL, 5, 100, TIMES) \
  ROW(TYPE, T, quad, div_rev_fp, div_cpt_rev_fp, rhs / old, true, RETURNED, ALL, 4, 36, TIMES)

#define ARITHMETIC_ROWS(ROW, TYPE, T, CAPTURING)                                                  \
  ROW(TYPE, T, T, add, add_cpt, old + rhs, true, CAPTURING, ALL, 0, 1, TIMES)                     \
  ROW(TYPE, T, T, sub, sub_cpt, old - rhs, true, CAPTURING, ALL, 0, 1, TIMES)                     \
  ROW(TYPE, T, T, mul, mul_cpt, old *rhs, true, CAPTURING, ALL, 3, -1, TIMES)                     \
  ROW(TYPE, T, T, div, div_cpt, old / rhs, true, CAPTURING, ALL, 3, -1, TIMES)                    \
  ROW(TYPE, T, T, sub_rev, sub_cpt_rev, rhs - old, true, CAPTURING, ALL, 5, 100, TIMES)           \
  ROW(TYPE, T, T, div_rev, div_cpt_rev, rhs / old, true, CAPTURING, ALL, 4, 36, TIMES)

#define REAL_ROWS(ROW, TYPE, T)                                                                   \
  ARITHMETIC_ROWS(ROW, TYPE, T, RETURNED)                                                         \
  ROW(TYPE, T, T, max, max_cpt, old > rhs ? old : rhs, true, RETURNED, BESIDE_ADD, 0, -1e30f, TIMES) \
  ROW(TYPE, T, T, min, min_cpt, old < rhs ? old : rhs, true, RETURNED, BESIDE_ADD, 0, 1e30f, TIMES)

#define MIXED_ROWS(ROW, TYPE, T, R, suffix)                                                       \
  ROW(TYPE, T, R, add_##suffix, none, old + rhs, true, NONE, ALL, 0, 1, TIMES)                    \
  ROW(TYPE, T, R, sub_##suffix, none, old - rhs, true, NONE, ALL, 0, 1, TIMES)                    \
  ROW(TYPE, T, R, mul_##suffix, none, old *rhs, true, NONE, ALL, 3, -1, TIMES)                    \
  ROW(TYPE, T, R, div_##suffix, none, old / rhs, true, NONE, ALL, 3, -1, TIMES)

#define ROWS(ROW)                                                                                 \
  FIXED_ROWS(ROW, fixed1, int8_t)                                                                 \
  FIXED_ROWS(ROW, fixed2, int16_t)                                                                \
  FIXED_ROWS(ROW, fixed4, int32_t)                                                                \
  FIXED_ROWS(ROW, fixed8, int64_t)                                                                \
  UNSIGNED_ROWS(ROW, fixed1u, uint8_t)                                                            \
  UNSIGNED_ROWS(ROW, fixed2u, uint16_t)                                                           \
  UNSIGNED_ROWS(ROW, fixed4u, uint32_t)                                                           \
  UNSIGNED_ROWS(ROW, fixed8u, uint64_t)                                                           \
  REAL_ROWS(ROW, float4, float)                                                                   \
  REAL_ROWS(ROW, float8, double)                                                                  \
  REAL_ROWS(ROW, float10, long double)                                                            \
  REAL_ROWS(ROW, float16, quad)                                                                   \
  QUAD_ROWS(ROW, float4, float)                                                                   \
  QUAD_ROWS(ROW, float8, double)                                                                  \
  QUAD_ROWS(ROW, float10, long double)                                                            \
  MIXED_ROWS(ROW, float4, float, double, float8)                                                  \
  ARITHMETIC_ROWS(ROW, cmplx4, complex4, WRITTEN)                                                 \
  ARITHMETIC_ROWS(ROW, cmplx8, complex8, RETURNED)                                                \
  ARITHMETIC_ROWS(ROW, cmplx10, complex10, RETURNED)                                              \
  ARITHMETIC_ROWS(ROW, cmplx16, quad_complex, RETURNED)                                           \
  MIXED_ROWS(ROW, cmplx4, complex4, complex8, cmplx8)


ROWS(OPERATION)

/* -------------------------------------------------------- read, write, exchange */

/* Each thread exchanges its token for the one in the variable; at the end all tokens must still exist.
   Each value that a thread reads must be one that a thread has written, in all its bytes.  */
#define TOKEN(i) ((i) + 1)
#define ACCESS(TYPE, T, SWAP)                                                                     \
  static void access_##TYPE(void)                                                                 \
  {                                                                                               \
    T (*read)(void *, int, T *) = look("__kmpc_atomic_" #TYPE "_rd");                             \
    void (*write)(void *, int, T *, T) = look("__kmpc_atomic_" #TYPE "_wr");                      \
    SWAP##_SWAP_POINTER(T) = look("__kmpc_atomic_" #TYPE "_swp");                                 \
    if (read == NULL)                                                                             \
      return;                                                                                     \
    static T shared;                                                                              \
    T sum = 0, all = 0;                                                                           \
    shared = TOKEN(THREADS);                                                                      \
    for (int i = 0; i <= THREADS; i++)                                                            \
      all += TOKEN(i);                                                                            \
    T held[THREADS];                                                                              \
    _Pragma("omp parallel num_threads(THREADS)")                                                  \
    {                                                                                             \
      T mine = TOKEN(omp_get_thread_num());                                                       \
      for (int i = 0; i < TIMES; i++)                                                             \
        SWAP##_SWAP(mine, shared, mine);                                                          \
      held[omp_get_thread_num()] = mine;                                                          \
    }                                                                                             \
    for (int i = 0; i < THREADS; i++)                                                             \
      sum += held[i];                                                                             \
    if (sum + shared != all)                                                                      \
      FAIL(#TYPE "_swp by several threads: a value is lost");                                     \
    T one = 1, other;                                                                             \
    other = -(one / 3 * 100);                                                                     \
    write(NULL, ME, &shared, one);                                                                 \
    if (shared != one || read(NULL, ME, &shared) != one)                                           \
      FAIL(#TYPE "_wr, " #TYPE "_rd");                                                            \
    int torn = 0;                                                                                 \
    _Pragma("omp parallel num_threads(THREADS) reduction(+ : torn)")                              \
      for (int i = 0; i < TIMES; i++) {                                                           \
        if (omp_get_thread_num() == 0)                                                            \
          write(NULL, ME, &shared, i % 2 != 0 ? one : other);                                      \
        T now = read(NULL, ME, &shared);                                                           \
        torn += now != one && now != other;                                                       \
      }                                                                                           \
    if (torn != 0)                                                                                \
      FAIL(#TYPE "_rd: %d values that nobody wrote", torn);                                       \
  }

#define RETURNED_SWAP_POINTER(T) T (*swap)(void *, int, T *, T)
#define RETURNED_SWAP(result, x, rhs) (result = swap(NULL, ME, &x, rhs))
#define WRITTEN_SWAP_POINTER(T) void (*swap)(void *, int, T *, T, T *)
#define WRITTEN_SWAP(result, x, rhs) swap(NULL, ME, &x, rhs, &result)

#define TYPES(TYPE)                                                                               \
  TYPE(fixed1, int8_t, RETURNED)                                                                  \
  TYPE(fixed2, int16_t, RETURNED)                                                                 \
  TYPE(fixed4, int32_t, RETURNED)                                                                 \
  TYPE(fixed8, int64_t, RETURNED)                                                                 \
  TYPE(float4, float, RETURNED)                                                                   \
  TYPE(float8, double, RETURNED)                                                                  \
  TYPE(float10, long double, RETURNED)                                                            \
  TYPE(float16, quad, RETURNED)                                                                   \
  TYPE(cmplx4, complex4, WRITTEN)                                                                 \
  TYPE(cmplx8, complex8, RETURNED)                                                                \
  TYPE(cmplx10, complex10, RETURNED)                                                              \
  TYPE(cmplx16, quad_complex, RETURNED)
TYPES(ACCESS)

/* ---------------------------------------------------- the program's own function */

/* While other threads use the named operation of a type of that size.  */
#define ANY(N, TYPE, T)                                                                           \
  static void add_##N(void *result, void *lhs, void *rhs)                                         \
  {                                                                                               \
    *(T *)result = *(T *)lhs + *(T *)rhs;                                                         \
  }                                                                                               \
  static void any_##N(void)                                                                       \
  {                                                                                               \
    void (*any)(void *, int, void *, void *, void (*)(void *, void *, void *)) = look("__kmpc_atomic_" #N); \
    void (*named)(void *, int, T *, T) = dlsym(RTLD_DEFAULT, "__kmpc_atomic_" #TYPE "_add");      \
    static T shared;                                                                              \
    T old = 0, one = 1;                                                                           \
    if (named == NULL)                                                                            \
      return;                                                                                     \
    _Pragma("omp parallel num_threads(THREADS)")                                                  \
      for (int i = 0; i < TIMES; i++)                                                             \
        if (omp_get_thread_num() == 0)                                                            \
          named(NULL, ME, &shared, one);                                                           \
        else                                                                                      \
          any(NULL, ME, &shared, &one, add_##N);                                                   \
    for (int i = 0; i < THREADS * TIMES; i++)                                                     \
      old += one;                                                                                 \
    if (shared != old)                                                                            \
      FAIL("atomic_" #N " by several threads: updates are lost");                                 \
  }

#define SIZES(SIZE)                                                                               \
  SIZE(1, fixed1, int8_t)                                                                         \
  SIZE(2, fixed2, int16_t)                                                                        \
  SIZE(4, float4, float)                                                                          \
  SIZE(8, cmplx4, complex4)                                                                       \
  SIZE(10, float10, long double)                                                                  \
  SIZE(16, cmplx8, complex8)                                                                      \
  SIZE(20, cmplx10, complex10)                                                                    \
  SIZE(32, cmplx16, quad_complex)
SIZES(ANY)

/* ------------------------------------------------------- compare and swap, the lock */

#define SWAP(N, T)                                                                                \
  static void compare_and_swap_##N(void)                                                          \
  {                                                                                               \
    bool (*changed)(void *, int, T *, T, T) = look("__kmpc_atomic_bool_" #N "_cas");              \
    T (*before)(void *, int, T *, T, T) = look("__kmpc_atomic_val_" #N "_cas");                   \
    bool (*changed_found)(void *, int, T *, T, T, T *) = look("__kmpc_atomic_bool_" #N "_cas_cpt"); \
    T (*before_after)(void *, int, T *, T, T, T *) = look("__kmpc_atomic_val_" #N "_cas_cpt");    \
    static T shared;                                                                              \
    T x = 3, found = 7;                                                                           \
    if (changed(NULL, ME, &x, 4, 5) || x != 3 || !changed(NULL, ME, &x, 3, 5) || x != 5)            \
      FAIL("bool_" #N "_cas");                                                                    \
    if (before(NULL, ME, &x, 4, 6) != 5 || x != 5 || before(NULL, ME, &x, 5, 6) != 5 || x != 6)     \
      FAIL("val_" #N "_cas");                                                                     \
    if (!changed_found(NULL, ME, &x, 6, 1, &found) || found != 7 || x != 1 ||                      \
        changed_found(NULL, ME, &x, 6, 2, &found) || found != 1 || x != 1)                         \
      FAIL("bool_" #N "_cas_cpt");                                                                \
    if (before_after(NULL, ME, &x, 1, 2, &found) != 1 || found != 2 || x != 2 ||                   \
        before_after(NULL, ME, &x, 1, 3, &found) != 2 || found != 2 || x != 2)                     \
      FAIL("val_" #N "_cas_cpt");                                                                 \
    _Pragma("omp parallel num_threads(THREADS)")                                                  \
      for (int i = 0; i < TIMES; i++) {                                                           \
        T old = before(NULL, ME, &shared, 0, 0), now;                                              \
        bool done = false;                                                                        \
        while (!done)                                                                             \
          switch (i % 3) {                                                                        \
          case 0:                                                                                 \
            done = changed_found(NULL, ME, &shared, old, (T)(old + 1), &old);                      \
            break;                                                                                \
          case 1:                                                                                 \
            now = before(NULL, ME, &shared, old, (T)(old + 1));                                    \
            done = now == old;                                                                    \
            old = now;                                                                            \
            break;                                                                                \
          default:                                                                                \
            if (!(done = changed(NULL, ME, &shared, old, (T)(old + 1))))                           \
              before_after(NULL, ME, &shared, old, old, &old);                                     \
          }                                                                                       \
      }                                                                                           \
    if (shared != (T)(THREADS * TIMES))                                                           \
      FAIL("cas of %d bytes by several threads: updates are lost", N);                            \
  }
SWAP(1, int8_t)
SWAP(2, int16_t)
SWAP(4, int32_t)
SWAP(8, int64_t)

/* While GCC's code takes the lock by its own name for such a type; Clang's code calls libatomic.  */
#ifdef __clang__
enum { WAYS = 2 };
#else
enum { WAYS = 3 };
#endif

static void lock(void)
{
  void (*start)(void) = look("__kmpc_atomic_start"), (*end)(void) = look("__kmpc_atomic_end");
  void (*add)(void *, int, long double *, long double) = dlsym(RTLD_DEFAULT, "__kmpc_atomic_float10_add");
  static long double shared;
  #pragma omp parallel num_threads(THREADS)
  for (int i = 0; i < TIMES; i++) {
    start();
    shared += 1;
    end();
#ifndef __clang__
    #pragma omp atomic
    shared += 1;
#endif
    add(NULL, ME, &shared, 1);
  }
  if (shared != WAYS * THREADS * TIMES)
    FAIL("start, end, GCC's atomic and a name together: updates are lost");
}

/* At unaligned addresses, where not every machine can compare and swap.  */
static void unaligned(void)
{
  void (*add)(void *, int, void *, double) = dlsym(RTLD_DEFAULT, "__kmpc_atomic_float8_add");
  void (*fixed)(void *, int, void *, int32_t) = dlsym(RTLD_DEFAULT, "__kmpc_atomic_fixed4_add");
  _Alignas(64) static char line[128];
  double real;
  int32_t integer;
  #pragma omp parallel num_threads(THREADS)
  for (int i = 0; i < TIMES; i++) {
    add(NULL, ME, line + 59, 1); /* crosses the end of a cache line */
    fixed(NULL, ME, line + 70, 1);
  }
  memcpy(&real, line + 59, sizeof real);
  memcpy(&integer, line + 70, sizeof integer);
  if (real != THREADS * TIMES || integer != THREADS * TIMES)
    FAIL("unaligned: updates are lost");
}

int main(void)
{
  number = dlsym(RTLD_DEFAULT, "__kmpc_global_thread_num");
#define RUN(TYPE, T, R, name, ...) test_##TYPE##_##name();
#define RUN_ACCESS(TYPE, ...) access_##TYPE();
#define RUN_ANY(N, ...) any_##N();
  ROWS(RUN)
  TYPES(RUN_ACCESS)
  SIZES(RUN_ANY)
  compare_and_swap_1();
  compare_and_swap_2();
  compare_and_swap_4();
  compare_and_swap_8();
  lock();
  unaligned();
  check_list("test/abi/llvm-14.exports");
  return failures != 0;
}
