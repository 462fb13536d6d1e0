/* base/atomics.h for the build with faults.  A thread may be delayed after each read-modify-write,
   each load that acquires and each store that releases.  The compiler includes this file before
   every file of the runtime (-include), which need not name it.  */
#ifndef GHCOMP_TEST_FAULTS_ATOMICS_H
#define GHCOMP_TEST_FAULTS_ATOMICS_H

#include "base/atomics.h"

#ifdef GHCOMP_FAULTS_INLINE
#include "delay.h"
#else
__attribute__((visibility("hidden"))) void ghcomp_faults_delay(void);
__attribute__((visibility("hidden"))) void ghcomp_faults_delay_rarely(void);
#endif

#define THEN_DELAY(expression) \
  __extension__({ __auto_type then_delay_ = (expression); ghcomp_faults_delay(); then_delay_; })
#define THEN_DELAY_RARELY(expression) \
  __extension__({ __auto_type then_delay_ = (expression); ghcomp_faults_delay_rarely(); then_delay_; })
#define STORE_THEN_DELAY(p, v, order) \
  __extension__({ atomic_store_explicit((p), (v), order); ghcomp_faults_delay(); })

#undef load_acquire
#undef load_seq_cst
#undef store_release
#undef store_seq_cst
#define load_acquire(p)  THEN_DELAY_RARELY(atomic_load_explicit((p), memory_order_acquire))
#define load_seq_cst(p)  THEN_DELAY_RARELY(atomic_load_explicit((p), memory_order_seq_cst))
#define store_release(p, v) STORE_THEN_DELAY((p), (v), memory_order_release)
#define store_seq_cst(p, v) STORE_THEN_DELAY((p), (v), memory_order_seq_cst)

#undef swap_relaxed
#undef swap_acquire
#undef swap_release
#undef swap_acq_rel
#undef swap_seq_cst
#define swap_relaxed(p, v) THEN_DELAY(atomic_exchange_explicit((p), (v), memory_order_relaxed))
#define swap_acquire(p, v) THEN_DELAY(atomic_exchange_explicit((p), (v), memory_order_acquire))
#define swap_release(p, v) THEN_DELAY(atomic_exchange_explicit((p), (v), memory_order_release))
#define swap_acq_rel(p, v) THEN_DELAY(atomic_exchange_explicit((p), (v), memory_order_acq_rel))
#define swap_seq_cst(p, v) THEN_DELAY(atomic_exchange_explicit((p), (v), memory_order_seq_cst))

#undef add_relaxed
#undef add_acq_rel
#undef add_seq_cst
#undef sub_relaxed
#undef sub_acq_rel
#undef sub_seq_cst
#undef or_acq_rel
#undef or_seq_cst
#undef and_seq_cst
#define add_relaxed(p, v) THEN_DELAY(atomic_fetch_add_explicit((p), (v), memory_order_relaxed))
#define add_acq_rel(p, v) THEN_DELAY(atomic_fetch_add_explicit((p), (v), memory_order_acq_rel))
#define add_seq_cst(p, v) THEN_DELAY(atomic_fetch_add_explicit((p), (v), memory_order_seq_cst))
#define sub_relaxed(p, v) THEN_DELAY(atomic_fetch_sub_explicit((p), (v), memory_order_relaxed))
#define sub_acq_rel(p, v) THEN_DELAY(atomic_fetch_sub_explicit((p), (v), memory_order_acq_rel))
#define sub_seq_cst(p, v) THEN_DELAY(atomic_fetch_sub_explicit((p), (v), memory_order_seq_cst))
#define or_acq_rel(p, v)  THEN_DELAY(atomic_fetch_or_explicit((p), (v), memory_order_acq_rel))
#define or_seq_cst(p, v)  THEN_DELAY(atomic_fetch_or_explicit((p), (v), memory_order_seq_cst))
#define and_seq_cst(p, v) THEN_DELAY(atomic_fetch_and_explicit((p), (v), memory_order_seq_cst))

#define CAS_THEN_DELAY(p, e, v, yes, no) \
  THEN_DELAY(atomic_compare_exchange_strong_explicit((p), (e), (v), yes, no))
#undef cas_relaxed
#undef cas_release
#undef cas_acquire
#undef cas_acq_rel
#undef cas_seq_cst
#define cas_relaxed(p, e, v) CAS_THEN_DELAY((p), (e), (v), memory_order_relaxed, memory_order_relaxed)
#define cas_release(p, e, v) CAS_THEN_DELAY((p), (e), (v), memory_order_release, memory_order_relaxed)
#define cas_acquire(p, e, v) CAS_THEN_DELAY((p), (e), (v), memory_order_acquire, memory_order_acquire)
#define cas_acq_rel(p, e, v) CAS_THEN_DELAY((p), (e), (v), memory_order_acq_rel, memory_order_acquire)
#define cas_seq_cst(p, e, v) CAS_THEN_DELAY((p), (e), (v), memory_order_seq_cst, memory_order_acquire)

#endif
