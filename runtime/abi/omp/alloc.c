/* Memory management routines, and the compiler's allocate directive.
   Spec: 5.2, 18.13, 6.5.  */
#include "abi/border.h"
#include "base/message.h"
#include "memory/allocator.h"
#include "task/lineage.h"

ENTRY_POINTS(omp_alloc);

EXPORT omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t space, int count,
                                                 const omp_alloctrait_t traits[])
{
  return ghcomp_allocator_make(space, count, traits);
}

EXPORT void omp_destroy_allocator(omp_allocator_handle_t allocator)
{
  ghcomp_allocator_destroy(allocator);
}

EXPORT void omp_set_default_allocator(omp_allocator_handle_t allocator)
{
  if (allocator == omp_null_allocator)
    allocator = omp_default_mem_alloc;
  ghcomp_icv_scope_own(ghcomp_self())->default_allocator = (uintptr_t)allocator;
}

EXPORT omp_allocator_handle_t omp_get_default_allocator(void)
{
  return (omp_allocator_handle_t)ghcomp_icv()->default_allocator;
}

static omp_allocator_handle_t resolve(omp_allocator_handle_t allocator)
{
  return allocator != omp_null_allocator ? allocator : omp_get_default_allocator();
}

EXPORT void *omp_aligned_alloc(size_t alignment, size_t size, omp_allocator_handle_t allocator)
{
  return ghcomp_allocator_get(alignment, size, resolve(allocator), false);
}

EXPORT void *omp_alloc(size_t size, omp_allocator_handle_t allocator)
{
  return omp_aligned_alloc(1, size, allocator);
}

EXPORT void *omp_aligned_calloc(size_t alignment, size_t count, size_t size,
                                omp_allocator_handle_t allocator)
{
  size_t total;
  if (__builtin_mul_overflow(count, size, &total))
    return NULL;
  return ghcomp_allocator_get(alignment, total, resolve(allocator), true);
}

EXPORT void *omp_calloc(size_t count, size_t size, omp_allocator_handle_t allocator)
{
  return omp_aligned_calloc(1, count, size, allocator);
}

EXPORT void omp_free(void *memory, omp_allocator_handle_t allocator)
{
  (void)allocator; /* the block's header says which */
  ghcomp_alloc_registry_remove(memory);
  ghcomp_allocator_free(memory);
}

EXPORT void *omp_realloc(void *memory, size_t size, omp_allocator_handle_t allocator,
                         omp_allocator_handle_t free_allocator)
{
  if (memory == NULL)
    return omp_alloc(size, allocator);
  if (size == 0) {
    omp_free(memory, free_allocator);
    return NULL;
  }
  return ghcomp_allocator_resize(memory, size, allocator);
}

/* The allocate directive has no way to report failure.  */
EXPORT void *GOMP_alloc(size_t alignment, size_t size, uintptr_t allocator)
{
  void *memory = omp_aligned_alloc(alignment, size, (omp_allocator_handle_t)allocator);
  if (memory == NULL && size != 0)
    ghcomp_message_fatal("Out of memory allocating %zu bytes for an allocate directive; the "
                         "program ends here", size);
  return memory;
}

EXPORT void GOMP_free(void *memory, uintptr_t allocator)
{
  omp_free(memory, (omp_allocator_handle_t)allocator);
}

/* Fortran: records what an allocate directive made, so that deallocate can ask.  */
EXPORT void GOMP_add_alloc(void *memory)
{
  ghcomp_alloc_registry_add(memory);
}

EXPORT bool GOMP_is_alloc(void *memory)
{
  return ghcomp_alloc_registry_has(memory);
}
