/* malloc with a message instead of NULL.  A handler that interrupts it must not come here.  */
#include "base/memory.h"

#include "base/inside.h"
#include "base/message.h"

#include <stdlib.h>
#include <string.h>

void *ghcomp_memory_demand(void *memory, size_t size)
{
  if (memory == NULL && size != 0)
    ghcomp_message_fatal("out of memory: %zu bytes were asked for; the program ends here", size);
  return memory;
}

void *ghcomp_memory_try(size_t size)
{
  ghcomp_inside_begin();
  void *memory = malloc(size);
  ghcomp_inside_end();
  return memory;
}

void *ghcomp_memory_try_zero(size_t size)
{
  ghcomp_inside_begin();
  void *memory = calloc(1, size);
  ghcomp_inside_end();
  return memory;
}

void *ghcomp_memory_try_aligned(size_t alignment, size_t size)
{
  ghcomp_inside_begin();
  void *memory = aligned_alloc(alignment, size);
  ghcomp_inside_end();
  return memory;
}

void *ghcomp_memory_try_lines(size_t size)
{
  size_t rounded = (size + CACHELINE - 1) & ~(size_t)(CACHELINE - 1);
  void *memory = ghcomp_memory_try_aligned(CACHELINE, rounded);
  return memory != NULL ? memset(memory, 0, rounded) : NULL;
}

void *ghcomp_memory_get(size_t size)
{
  return ghcomp_memory_demand(ghcomp_memory_try(size), size);
}

void *ghcomp_memory_get_zero(size_t size)
{
  return ghcomp_memory_demand(ghcomp_memory_try_zero(size), size);
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
  ghcomp_inside_begin();
  free(memory);
  ghcomp_inside_end();
}
