/* Allocators with traits.  Spec: 5.2, chapter 6 and 18.13.  */
#ifndef GHCOMP_MEMORY_ALLOCATOR_H
#define GHCOMP_MEMORY_ALLOCATOR_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A new allocator; omp_null_allocator if a trait is not valid or the memory space does not
   exist.  */
omp_allocator_handle_t ghcomp_allocator_make(omp_memspace_handle_t space, int count,
                                             const omp_alloctrait_t *traits);
void ghcomp_allocator_destroy(omp_allocator_handle_t allocator);

/* The predefined allocator of a memory space; omp_null_allocator if there is no such space.  */
omp_allocator_handle_t ghcomp_allocator_of_space(omp_memspace_handle_t space);

/* Memory aligned to `alignment` and to the allocator's own alignment; NULL for size 0, and where
   the fallback trait says so.  `zero`: the memory is cleared.  */
void *ghcomp_allocator_get(size_t alignment, size_t size, omp_allocator_handle_t allocator,
                           bool zero);
/* A block of `size` bytes (not 0) with the contents of the old block, as far as they fit.  NULL:
   there is no memory, and the old block stays.  */
void *ghcomp_allocator_resize(void *memory, size_t size, omp_allocator_handle_t allocator);
void ghcomp_allocator_free(void *memory);

/* ------------------------------------------------------------- pinned memory */

/* Memory that is locked, so that it is never paged out (the trait pinned).  A process may lock only
   few pages, so small blocks share a page.  Spec: 5.2, 6.2.  */

/* Zeroed and aligned to 16; NULL: no more can be locked.  */
void *ghcomp_pinned_get(size_t size);

/* Releases a block.  `size`: as given to ghcomp_pinned_get.  */
void ghcomp_pinned_release(void *memory, size_t size);

/* ------------------------------------------ addresses of allocate directives */

/* Which addresses came from an allocate directive.  Fortran's allocatables do not record that.  */

void ghcomp_alloc_registry_add(void *memory);
bool ghcomp_alloc_registry_has(const void *memory);
void ghcomp_alloc_registry_remove(const void *memory); /* does nothing if it is not there */

#endif
