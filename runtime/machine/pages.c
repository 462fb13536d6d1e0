/* Pages of memory.  */
#include "machine/pages.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

size_t ghcomp_machine_page_size(void)
{
  return (size_t)sysconf(_SC_PAGESIZE);
}

static void *map(size_t size)
{
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

void *ghcomp_machine_map_locked(size_t size)
{
  void *memory = map(size);
  if (memory == NULL || mlock(memory, size) == 0)
    return memory;
  munmap(memory, size);
  return NULL;
}

void ghcomp_machine_unmap(void *memory, size_t size)
{
  munmap(memory, size);
}

bool ghcomp_machine_would_map(uint64_t size)
{
  void *memory = map(size);
  if (memory != NULL)
    munmap(memory, size);
  return memory != NULL;
}

bool ghcomp_machine_address_limit(uint64_t *limit)
{
  struct rlimit set;
  if (getrlimit(RLIMIT_AS, &set) != 0 || set.rlim_cur == RLIM_INFINITY)
    return false;
  *limit = set.rlim_cur;
  return true;
}

uint64_t ghcomp_machine_memory_and_swap(void)
{
  struct sysinfo machine;
  uint64_t bytes;
  if (sysinfo(&machine) != 0 ||
      __builtin_mul_overflow((uint64_t)machine.totalram + machine.totalswap, machine.mem_unit, &bytes))
    return UINT64_MAX;
  return bytes;
}
