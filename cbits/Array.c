/* Whether there is memory for an array.  GHC's runtime system does not ask: if there is no memory
   for a large object, it ends the process.  So Data.Array.Linear asks here before it allocates a
   large array.

   The answer may be out of date at once, because others may take the memory.  Called `unsafe`, and
   only for large arrays.  */
#include "base/atomics.h"
#include "machine/process.h"

#include <Rts.h>

#include <stdbool.h>
#include <stdint.h>

/* The runtime system reserves the heap's addresses when it starts: this many, or two thirds of what
   `ulimit -v` allows.  */
static const uint64_t reserved = (uint64_t)1 << 40;

/* If addresses are limited, the kernel is not asked.  It has counted the heap's addresses already,
   and would count them a second time.  */
#pragma GCC visibility push(default)
bool ghcomp_array_fits(uint64_t bytes)
{
  uint64_t limit, heap = reserved, used = load_relaxed((const _Atomic W_ *)&mblocks_allocated) << 20;
  bool limited = ghcomp_machine_address_limit(&limit);
  if (limited && limit / 3 * 2 < heap)
    heap = limit / 3 * 2;
  if (bytes >= heap || used >= heap - bytes)
    return false;
  return limited ? bytes <= ghcomp_machine_memory_and_swap() : ghcomp_machine_would_map(bytes);
}

#pragma GCC visibility pop
