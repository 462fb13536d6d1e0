/* For litmus tests.  Each line of a test's first comment that begins with -D is a variant: the
   definitions, a colon, and exactly the outcomes that RC11 without load buffering allows.  */
#ifndef WEAK_LITMUS_H
#define WEAK_LITMUS_H

#include "base/atomics.h"

#include <stdio.h>

#define load_relaxed(p) load_relaxed_at(0, p)
#define load_acquire(p) load_acquire_at(0, p)
#define load_seq_cst(p) load_seq_cst_at(0, p)
#define store_relaxed(p, v) store_relaxed_at(0, p, v)
#define store_release(p, v) store_release_at(0, p, v)
#define store_seq_cst(p, v) store_seq_cst_at(0, p, v)
#define swap_relaxed(p, v) swap_relaxed_at(0, p, v)
#define swap_acq_rel(p, v) swap_acq_rel_at(0, p, v)
#define swap_seq_cst(p, v) swap_seq_cst_at(0, p, v)
#define add_relaxed(p, v) add_relaxed_at(0, p, v)
#define add_acq_rel(p, v) add_acq_rel_at(0, p, v)
#define add_seq_cst(p, v) add_seq_cst_at(0, p, v)
#define cas_relaxed(p, e, v) cas_relaxed_at(0, p, e, v)
#define cas_acq_rel(p, e, v) cas_acq_rel_at(0, p, e, v)
#define cas_seq_cst(p, e, v) cas_seq_cst_at(0, p, e, v)

#define BEGIN(threads) \
  unsigned weak_threads = threads; \
  static _Atomic uint32_t x __attribute__((unused)), y __attribute__((unused)), z __attribute__((unused)); \
  static int r[6], plain __attribute__((unused)); \
  void weak_setup(void) {} \
  void weak_thread(unsigned number) \
  { \
    switch (number) {
#define THREAD(n) break; case n:
#define OUTCOME(count, ...) \
    } \
  } \
  void weak_end(void) \
  { \
    int seen[] = {__VA_ARGS__}; \
    char text[16] = ""; \
    for (unsigned i = 0; i < count; i++) \
      text[i] = (char)('0' + seen[i]); \
    weak_outcome(text); \
  }

#endif
