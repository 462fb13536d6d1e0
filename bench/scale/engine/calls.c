/* The functions that compilers call for -fsanitize=thread.  The engine stands in place of ThreadSanitizer.  */
#include "engine.h"

void __tsan_init(void) {}
void __tsan_func_entry(void *p) { (void)p; }
void __tsan_func_exit(void) {}
void __tsan_vptr_update(void **p, void *v) { (void)v; touch(p, WRITE, PLACE); }
void __tsan_vptr_read(void **p) { touch(p, READ, PLACE); }
void __tsan_read_range(void *p, size_t n) { touch_range(p, n, READ, PLACE); }
void __tsan_write_range(void *p, size_t n) { touch_range(p, n, WRITE, PLACE); }

#define PLAIN(n)                                                                                                       \
  void __tsan_read##n(void *p) { touch(p, READ, PLACE); }                                                              \
  void __tsan_write##n(void *p) { touch(p, WRITE, PLACE); }                                                            \
  void __tsan_unaligned_read##n(void *p) { touch(p, READ, PLACE); }                                                    \
  void __tsan_unaligned_write##n(void *p) { touch(p, WRITE, PLACE); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)

/* Only one virtual thread runs at a time, so nothing comes between the parts of an operation.  Orders of memory have no cost of
   their own, but for stores in the total order, which empty the store buffer.  */
#define SEQUENTIAL 5
#define UPDATES(bits, T, name, value)                                                                                  \
  T __tsan_atomic##bits##_##name(volatile T *p, T v, int order)                                                        \
  {                                                                                                                    \
    (void)order;                                                                                                       \
    touch(p, UPDATE, PLACE);                                                                                           \
    T old = *p;                                                                                                        \
    *p = (T)(value);                                                                                                   \
    return old;                                                                                                        \
  }
#define EXCHANGES(bits, T, kind)                                                                                       \
  int __tsan_atomic##bits##_compare_exchange_##kind(volatile T *p, T *e, T v, int good, int bad)                       \
  {                                                                                                                    \
    (void)good, (void)bad;                                                                                             \
    return exchange##bits(p, e, v, PLACE);                                                                             \
  }
#define ATOMICS(bits, T)                                                                                               \
  T __tsan_atomic##bits##_load(const volatile T *p, int order)                                                         \
  {                                                                                                                    \
    (void)order;                                                                                                       \
    touch(p, READ, PLACE);                                                                                             \
    return *p;                                                                                                         \
  }                                                                                                                    \
  void __tsan_atomic##bits##_store(volatile T *p, T v, int order)                                                      \
  {                                                                                                                    \
    touch(p, order == SEQUENTIAL ? UPDATE : WRITE, PLACE);                                                             \
    *p = v;                                                                                                            \
  }                                                                                                                    \
  UPDATES(bits, T, exchange, v)                                                                                        \
  UPDATES(bits, T, fetch_add, old + v)                                                                                 \
  UPDATES(bits, T, fetch_sub, old - v)                                                                                 \
  UPDATES(bits, T, fetch_and, old & v)                                                                                 \
  UPDATES(bits, T, fetch_or, old | v)                                                                                  \
  UPDATES(bits, T, fetch_xor, old ^ v)                                                                                 \
  UPDATES(bits, T, fetch_nand, ~(old & v))                                                                             \
  static int exchange##bits(volatile T *p, T *expected, T v, uintptr_t place)                                          \
  {                                                                                                                    \
    touch(p, UPDATE, place);                                                                                           \
    T old = *p;                                                                                                        \
    if (old == *expected) {                                                                                            \
      *p = v;                                                                                                          \
      return 1;                                                                                                        \
    }                                                                                                                  \
    *expected = old;                                                                                                   \
    return 0;                                                                                                          \
  }                                                                                                                    \
  EXCHANGES(bits, T, strong)                                                                                           \
  EXCHANGES(bits, T, weak)                                                                                             \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T *p, T e, T v, int good, int bad)                             \
  {                                                                                                                    \
    (void)good, (void)bad;                                                                                             \
    exchange##bits(p, &e, v, PLACE);                                                                                   \
    return e;                                                                                                          \
  }
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order)
{
  (void)order;
  if (on)
    pass(cost.locked);
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

void *__real_memcpy(void *, const void *, size_t);

void *__wrap_memset(void *p, int byte, size_t n)
{
  touch_range(p, n, WRITE, PLACE);
  return __real_memset(p, byte, n);
}

void *__wrap_memcpy(void *p, const void *q, size_t n)
{
  touch_range(q, n, READ, PLACE);
  touch_range(p, n, WRITE, PLACE);
  return __real_memcpy(p, q, n);
}
