/* Atomic operations with the memory order in the name.

   Every atomic access of the runtime uses these names, so that a search finds each acquire and its
   release.  Operands are C11 _Atomic objects.  A comment at each call names the operation that it
   pairs with.  */
#ifndef GHCOMP_BASE_ATOMICS_H
#define GHCOMP_BASE_ATOMICS_H

#include <stdatomic.h>
#include <stdbool.h>

#define load_relaxed(p)      atomic_load_explicit((p), memory_order_relaxed)
#define load_acquire(p)      atomic_load_explicit((p), memory_order_acquire)
#define load_seq_cst(p)      atomic_load_explicit((p), memory_order_seq_cst)
#define store_relaxed(p, v)  atomic_store_explicit((p), (v), memory_order_relaxed)
#define store_release(p, v)  atomic_store_explicit((p), (v), memory_order_release)
#define store_seq_cst(p, v)  atomic_store_explicit((p), (v), memory_order_seq_cst)

#define swap_acquire(p, v)   atomic_exchange_explicit((p), (v), memory_order_acquire)
#define swap_release(p, v)   atomic_exchange_explicit((p), (v), memory_order_release)
#define swap_acq_rel(p, v)   atomic_exchange_explicit((p), (v), memory_order_acq_rel)
#define swap_seq_cst(p, v)   atomic_exchange_explicit((p), (v), memory_order_seq_cst)

#define add_relaxed(p, v)    atomic_fetch_add_explicit((p), (v), memory_order_relaxed)
#define add_acquire(p, v)    atomic_fetch_add_explicit((p), (v), memory_order_acquire)
#define add_release(p, v)    atomic_fetch_add_explicit((p), (v), memory_order_release)
#define add_acq_rel(p, v)    atomic_fetch_add_explicit((p), (v), memory_order_acq_rel)
#define add_seq_cst(p, v)    atomic_fetch_add_explicit((p), (v), memory_order_seq_cst)
#define swap_relaxed(p, v)   atomic_exchange_explicit((p), (v), memory_order_relaxed)
#define sub_relaxed(p, v)    atomic_fetch_sub_explicit((p), (v), memory_order_relaxed)
#define sub_acq_rel(p, v)    atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel)
#define sub_seq_cst(p, v)    atomic_fetch_sub_explicit((p), (v), memory_order_seq_cst)
#define or_relaxed(p, v)     atomic_fetch_or_explicit((p), (v), memory_order_relaxed)
#define or_release(p, v)     atomic_fetch_or_explicit((p), (v), memory_order_release)
#define or_acquire(p, v)     atomic_fetch_or_explicit((p), (v), memory_order_acquire)
#define or_acq_rel(p, v)     atomic_fetch_or_explicit((p), (v), memory_order_acq_rel)
#define or_seq_cst(p, v)     atomic_fetch_or_explicit((p), (v), memory_order_seq_cst)
#define and_relaxed(p, v)    atomic_fetch_and_explicit((p), (v), memory_order_relaxed)
#define and_seq_cst(p, v)    atomic_fetch_and_explicit((p), (v), memory_order_seq_cst)
#define xor_seq_cst(p, v)    atomic_fetch_xor_explicit((p), (v), memory_order_seq_cst)

/* Strong compare-and-swap; on failure *e holds what was found (relaxed for
   cas_relaxed and cas_release, acquire for the others).  */
#define cas_relaxed(p, e, v) atomic_compare_exchange_strong_explicit((p), (e), (v), \
                               memory_order_relaxed, memory_order_relaxed)
#define cas_release(p, e, v) atomic_compare_exchange_strong_explicit((p), (e), (v), \
                               memory_order_release, memory_order_relaxed)
#define cas_acquire(p, e, v) atomic_compare_exchange_strong_explicit((p), (e), (v), \
                               memory_order_acquire, memory_order_acquire)
#define cas_acq_rel(p, e, v) atomic_compare_exchange_strong_explicit((p), (e), (v), \
                               memory_order_acq_rel, memory_order_acquire)
#define cas_seq_cst(p, e, v) atomic_compare_exchange_strong_explicit((p), (e), (v), \
                               memory_order_seq_cst, memory_order_acquire)

/* The runtime has no fence, because ThreadSanitizer does not model fences.  The runtime uses
   read-modify-write operations instead.  This is the program's flush.  */
static inline void fence_of_program(void)
{
#ifdef __SANITIZE_THREAD__
  static _Atomic int word;
  add_seq_cst(&word, 0);
#else
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

/* Tells the processor that this is a spin-wait loop.  */
static inline void cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("isb" ::: "memory");
#else
  __asm__ __volatile__("" ::: "memory");
#endif
}

#endif
