/* Memory for workers that share an address space.  */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

void *driver_shared(size_t size)
{
  void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
  if (memory == NULL)
    harness_fail("no memory for %zu bytes", size);
  return memset(memory, 0, size);
}
