/* Replaces runtime/base/atomics.h in models.  The copy of the source that a model compiles numbers
   each place: load_acquire(p) is load_acquire_at(SITE, p).  */
#ifndef GHCOMP_BASE_ATOMICS_H
#define GHCOMP_BASE_ATOMICS_H

#include "weak.h"

#include <stdatomic.h>
#include <stdbool.h>

#define WEAK_TYPE(p) __typeof__(atomic_load_explicit((p), memory_order_relaxed))
#define WEAK_LOAD(s, p, o) ((WEAK_TYPE(p))weak_load((s), (p), sizeof *(p), (o)))
#define WEAK_STORE(s, p, v, o) weak_store((s), (p), sizeof *(p), (uint64_t)(v), (o))
#define WEAK_UPDATE(s, p, c, v, o) \
  ((WEAK_TYPE(p))weak_update((s), (p), sizeof *(p), (c), (uint64_t)(v), (o)))
#define WEAK_CAS(s, p, e, v, o, f) weak_cas((s), (p), sizeof *(p), (e), (uint64_t)(v), (o), (f))

#define load_relaxed_at(s, p) WEAK_LOAD(s, p, WEAK_RELAXED)
#define load_acquire_at(s, p) WEAK_LOAD(s, p, WEAK_ACQUIRE)
#define load_seq_cst_at(s, p) WEAK_LOAD(s, p, WEAK_SEQ_CST)
#define store_relaxed_at(s, p, v) WEAK_STORE(s, p, v, WEAK_RELAXED)
#define store_release_at(s, p, v) WEAK_STORE(s, p, v, WEAK_RELEASE)
#define store_seq_cst_at(s, p, v) WEAK_STORE(s, p, v, WEAK_SEQ_CST)

#define swap_relaxed_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SWAP, v, WEAK_RELAXED)
#define swap_acquire_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SWAP, v, WEAK_ACQUIRE)
#define swap_release_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SWAP, v, WEAK_RELEASE)
#define swap_acq_rel_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SWAP, v, WEAK_ACQ_REL)
#define swap_seq_cst_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SWAP, v, WEAK_SEQ_CST)
#define add_relaxed_at(s, p, v) WEAK_UPDATE(s, p, WEAK_ADD, v, WEAK_RELAXED)
#define add_acquire_at(s, p, v) WEAK_UPDATE(s, p, WEAK_ADD, v, WEAK_ACQUIRE)
#define add_release_at(s, p, v) WEAK_UPDATE(s, p, WEAK_ADD, v, WEAK_RELEASE)
#define add_acq_rel_at(s, p, v) WEAK_UPDATE(s, p, WEAK_ADD, v, WEAK_ACQ_REL)
#define add_seq_cst_at(s, p, v) WEAK_UPDATE(s, p, WEAK_ADD, v, WEAK_SEQ_CST)
#define sub_relaxed_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SUB, v, WEAK_RELAXED)
#define sub_release_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SUB, v, WEAK_RELEASE)
#define sub_acq_rel_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SUB, v, WEAK_ACQ_REL)
#define sub_seq_cst_at(s, p, v) WEAK_UPDATE(s, p, WEAK_SUB, v, WEAK_SEQ_CST)
#define or_relaxed_at(s, p, v) WEAK_UPDATE(s, p, WEAK_OR, v, WEAK_RELAXED)
#define or_release_at(s, p, v) WEAK_UPDATE(s, p, WEAK_OR, v, WEAK_RELEASE)
#define or_acquire_at(s, p, v) WEAK_UPDATE(s, p, WEAK_OR, v, WEAK_ACQUIRE)
#define or_acq_rel_at(s, p, v) WEAK_UPDATE(s, p, WEAK_OR, v, WEAK_ACQ_REL)
#define or_seq_cst_at(s, p, v) WEAK_UPDATE(s, p, WEAK_OR, v, WEAK_SEQ_CST)
#define and_relaxed_at(s, p, v) WEAK_UPDATE(s, p, WEAK_AND, v, WEAK_RELAXED)
#define and_seq_cst_at(s, p, v) WEAK_UPDATE(s, p, WEAK_AND, v, WEAK_SEQ_CST)

#define cas_relaxed_at(s, p, e, v) WEAK_CAS(s, p, e, v, WEAK_RELAXED, WEAK_RELAXED)
#define cas_release_at(s, p, e, v) WEAK_CAS(s, p, e, v, WEAK_RELEASE, WEAK_RELAXED)
#define cas_acquire_at(s, p, e, v) WEAK_CAS(s, p, e, v, WEAK_ACQUIRE, WEAK_ACQUIRE)
#define cas_acq_rel_at(s, p, e, v) WEAK_CAS(s, p, e, v, WEAK_ACQ_REL, WEAK_ACQUIRE)
#define cas_seq_cst_at(s, p, e, v) WEAK_CAS(s, p, e, v, WEAK_SEQ_CST, WEAK_ACQUIRE)

static inline void cpu_relax(void)
{
  weak_spin();
}

#endif
