/* Does an array fit the memory?  The runtime system does not ask: where it cannot
   have what a large object needs, it ends the process.  So Data.Array.Linear asks
   here before it allocates a large array.

   The answer is a moment old when it comes: somebody else may take the memory in
   between.  Called `unsafe`, and only for arrays that are large.  */
#include "base/atomics.h"

#include <Rts.h>

#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

/* The heap's addresses are reserved when the runtime system starts: so many, or two
   thirds of what `ulimit -v` allows.  */
static const uint64_t reserved = (uint64_t)1 << 40;

static bool has_address_limit(uint64_t *limit)
{
  struct rlimit set;
  if (getrlimit(RLIMIT_AS, &set) != 0 || set.rlim_cur == RLIM_INFINITY)
    return false;
  *limit = set.rlim_cur;
  return true;
}

/* What the kernel says to so many bytes.  */
static bool kernel_grants(uint64_t bytes)
{
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  munmap(memory, bytes);
  return true;
}

static bool is_within_memory_and_swap(uint64_t bytes)
{
  struct sysinfo machine;
  return sysinfo(&machine) != 0
         || bytes / machine.mem_unit <= (uint64_t)machine.totalram + machine.totalswap;
}

/* Under a limit of addresses the kernel is not asked: the heap's addresses are
   counted already, and it would count them a second time.  */
#pragma GCC visibility push(default)
bool ghcomp_array_fits(uint64_t bytes)
{
  uint64_t limit, heap = reserved, used = load_relaxed((const _Atomic W_ *)&mblocks_allocated) << 20;
  bool limited = has_address_limit(&limit);
  if (limited && limit / 3 * 2 < heap)
    heap = limit / 3 * 2;
  if (bytes >= heap || used >= heap - bytes)
    return false;
  return limited ? is_within_memory_and_swap(bytes) : kernel_grants(bytes);
}
