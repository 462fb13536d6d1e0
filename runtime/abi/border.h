/* What the files of this folder share: the mark of an exported function, and the conversion of the
   compiler's loops to iteration numbers and back.  */
#ifndef GHCOMP_ABI_BORDER_H
#define GHCOMP_ABI_BORDER_H

#include "abi/abi.h"
#include "state/thread.h"
#include "team/thread.h"

#define EXPORT __attribute__((visibility("default")))

/* Names that libgomp has in two generations: each implementation is bound to the public name under
   a version node.  An executable that has the runtime linked in (the Haskell package) has no nodes.
   There the current generation has the plain name, and the loader uses it for every node.  */
#ifdef GHCOMP_WITHOUT_NODES
#define BORDER_CURRENT(internal, name, node) \
  __asm__(".globl " name "\n.set " name ", " internal)
#define BORDER_OLD(internal, name, node) _Static_assert(1, "")
#else
#define BORDER_CURRENT(internal, name, node) __asm__(".symver " internal ", " name "@@" node)
#define BORDER_OLD(internal, name, node) __asm__(".symver " internal ", " name "@" node)
#endif

/* The LLVM forms of omp_display_affinity, of two routines about leagues and of two about devices.  */
void ghcomp_kmp_display_affinity(const char *format);
void ghcomp_kmp_set_num_teams(int num_teams);
void ghcomp_kmp_set_num_teams_(const int32_t *num_teams);
void ghcomp_kmp_set_teams_thread_limit(int thread_limit);
void ghcomp_kmp_set_teams_thread_limit_(const int32_t *thread_limit);
int ghcomp_kmp_get_device_from_uid(const char *uid);
const char *ghcomp_kmp_get_uid_from_device_(const int *device);

/* long loops.  Spec of the ABI: start, end and step of the source, end
   exclusive; the count fits 64 unsigned bits for every combination.  */
static inline struct loop ghcomp_border_loop(long start, long end, long step)
{
  uint64_t from = (uint64_t)start, to = (uint64_t)end, by = (uint64_t)step, count = 0;
  if (step > 0 && start < end)
    count = (to - from - 1) / by + 1;
  else if (step < 0 && start > end)
    count = (from - to - 1) / (0 - by) + 1;
  return (struct loop){.count = count, .begin = from, .end = to, .step = by};
}

/* unsigned long long loops; step is its own two's complement when !up.  */
static inline struct loop ghcomp_border_loop_ull(bool up, unsigned long long start,
                                                 unsigned long long end, unsigned long long step)
{
  uint64_t count = 0;
  if (up && start < end)
    count = (end - start - 1) / step + 1;
  else if (!up && start > end)
    count = (start - end - 1) / (0 - step) + 1;
  return (struct loop){.count = count, .begin = start, .end = end, .step = step};
}

/* The current chunk in the values of the source.  The last chunk ends at the source's end, which
   cannot overflow.  */
static inline uint64_t ghcomp_border_first(const struct loop *loop)
{
  return loop->begin + loop->chunk_first * loop->step;
}

static inline uint64_t ghcomp_border_end(const struct loop *loop)
{
  return loop->chunk_end == loop->count ? loop->end : loop->begin + loop->chunk_end * loop->step;
}

#endif
