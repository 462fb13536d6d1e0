/* Does an array fit the memory?  The runtime system does not ask: where it cannot
   have what a large object needs, it ends the process.  So Data.Array.Linear asks
   here before it allocates a large array.

   The answer is a moment old when it comes: somebody else may take the memory in
   between.  Called `unsafe`, and only for arrays that are large.  */
#include "base/atomics.h"
#include "machine/pages.h"

#include <Rts.h>

#include <stdbool.h>
#include <stdint.h>

/* The heap's addresses are reserved when the runtime system starts: so many, or two
   thirds of what `ulimit -v` allows.  */
static const uint64_t reserved = (uint64_t)1 << 40;

/* Under a limit of addresses the kernel is not asked: the heap's addresses are
   counted already, and it would count them a second time.  */
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
