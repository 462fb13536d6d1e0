/* storey: memory */
/* Locked memory alone: small blocks share a page, are zero when they are reused, and never overlap.  */
#include "alone.h"
#include "memory/allocator.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 24 };

static long locked_kilobytes(void)
{
  char line[256];
  long found = -1;
  FILE *status = fopen("/proc/self/status", "r");
  assert(status != NULL);
  while (fgets(line, sizeof line, status) != NULL)
    sscanf(line, "VmLck: %ld", &found);
  fclose(status);
  return found;
}

static void small_blocks_share(void)
{
  long before = locked_kilobytes();
  void *first = ghcomp_pinned_get(40), *second = ghcomp_pinned_get(64);
  assert(first != NULL && second != NULL);
  assert(locked_kilobytes() - before == sysconf(_SC_PAGESIZE) / 1024);
  ghcomp_pinned_release(first, 40);
  ghcomp_pinned_release(second, 64);
}

static void no_overlap(void)
{
  unsigned char *block[BLOCKS];
  size_t size[BLOCKS];
  for (int i = 0; i < BLOCKS; i++) {
    size[i] = (size_t)(i * 97 + 1); /* up to more than half a page */
    block[i] = ghcomp_pinned_get(size[i]);
    assert(block[i] != NULL && (uintptr_t)block[i] % 16 == 0);
    for (size_t k = 0; k < size[i]; k++)
      assert(block[i][k] == 0);
    memset(block[i], i + 1, size[i]);
  }
  for (int i = 0; i < BLOCKS; i++) {
    for (size_t k = 0; k < size[i]; k++)
      assert(block[i][k] == i + 1);
    ghcomp_pinned_release(block[i], size[i]);
  }
}

int main(void)
{
  small_blocks_share();
  no_overlap();
  no_overlap(); /* these slots were written to before */
  long before = locked_kilobytes();
  void *large = ghcomp_pinned_get(100000);
  assert(large != NULL && locked_kilobytes() - before >= 97);
  ghcomp_pinned_release(large, 100000);
  assert(locked_kilobytes() == before);
  return 0;
}
