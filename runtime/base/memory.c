/* malloc with a message instead of NULL.  */
#include "base/memory.h"

#include "base/message.h"

#include <stdlib.h>
#include <string.h>

void *ghcomp_memory_demand(void *memory, size_t size)
{
  if (memory == NULL && size != 0)
    ghcomp_message_fatal("out of memory: %zu bytes were asked for; the program ends here", size);
  return memory;
}

void *ghcomp_memory_get(size_t size)
{
  return ghcomp_memory_demand(malloc(size), size);
}

void *ghcomp_memory_get_zero(size_t size)
{
  return ghcomp_memory_demand(calloc(1, size), size);
}

void *ghcomp_memory_try_lines(size_t size)
{
  size_t rounded = (size + CACHELINE - 1) & ~(size_t)(CACHELINE - 1);
  void *memory = aligned_alloc(CACHELINE, rounded);
  return memory != NULL ? memset(memory, 0, rounded) : NULL;
}

void *ghcomp_memory_get_lines(size_t size)
{
  return ghcomp_memory_demand(ghcomp_memory_try_lines(size), size);
}

char *ghcomp_memory_copy_text(const char *text)
{
  size_t size = strlen(text) + 1;
  return memcpy(ghcomp_memory_get(size), text, size);
}

void ghcomp_memory_release(void *memory)
{
  free(memory);
}
