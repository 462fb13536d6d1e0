/* The RTS reserves a terabyte of addresses for its heap when it boots, and no option of GHC 9.0 to 9.8 changes that.  A limit of
   addresses that the program sets later, for itself or a child, would be exceeded at once: malloc, threads and files would fail.
   On this RTS the heap stays nearly empty, because no Haskell code runs.  So all but its beginning is given back to the system, and
   -M sees to it that the heap never grows beyond that.

   The RTS takes its blocks from the beginning of the reservation.  The rest is given back only if the system says that
   it is one mapping without access, up to the end of the terabyte.  Without /proc it stays.  */
#include "threads/ghc/rts.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#if GHCOMP_HEAP_IS_SMALL

void ghcomp_reservation_give_back(void)
{
}

#else

/* The RTS exports it, and does not declare it: the first block that it has taken.  */
extern void *getFirstMBlock(void **state) __attribute__((weak));

#define RESERVED ((uintptr_t)1 << 40)

/* The next mapping of this process.  A line may be longer than the buffer, because it ends with a file's name.  */
static bool next_mapping(FILE *maps, uintptr_t *from, uintptr_t *to, bool *has_access)
{
  char line[64], access[5];
  if (fgets(line, sizeof line, maps) == NULL || sscanf(line, "%lx-%lx %4s", from, to, access) != 3)
    return false;
  *has_access = strncmp(access, "---", 3) != 0;
  while (strchr(line, '\n') == NULL)
    if (fgets(line, sizeof line, maps) == NULL)
      return false;
  return true;
}

static bool is_one_reservation(uintptr_t first, uintptr_t end)
{
  FILE *maps = fopen("/proc/thread-self/maps", "re");
  uintptr_t from = 0, to = 0;
  bool has_access = true, more = maps != NULL;
  while (more && to < end)
    if ((more = next_mapping(maps, &from, &to, &has_access)) && to > first)
      break;
  if (maps != NULL)
    fclose(maps);
  return more && from <= first && to >= end && !has_access;
}

void ghcomp_reservation_give_back(void)
{
  void *state;
  uintptr_t begin = getFirstMBlock != NULL ? (uintptr_t)getFirstMBlock(&state) : 0;
  uintptr_t first = begin + GHCOMP_HEAP_KEPT, end = begin + RESERVED;
  if (begin != 0 && is_one_reservation(first, end))
    munmap((void *)first, end - first);
}

#endif
