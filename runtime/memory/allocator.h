/* Allocators with traits.  Spec: 5.2, chapter 6 and 18.13.  */
#ifndef GHCOMP_MEMORY_ALLOCATOR_H
#define GHCOMP_MEMORY_ALLOCATOR_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A fresh allocator, or omp_null_allocator when a trait is not valid or the
   memory space cannot be had.  */
omp_allocator_handle_t ghcomp_allocator_make(omp_memspace_handle_t space, int count,
                                             const omp_alloctrait_t *traits);
void ghcomp_allocator_destroy(omp_allocator_handle_t allocator);

/* Memory aligned to `alignment` and the allocator's own alignment; NULL as the
   fallback trait says, and for size 0.  zero clears it.  */
void *ghcomp_allocator_get(size_t alignment, size_t size, omp_allocator_handle_t allocator,
                           bool zero);
/* A block of `size` bytes, not 0, with what fits of the old one; NULL: the old one stays.  */
void *ghcomp_allocator_resize(void *memory, size_t size, omp_allocator_handle_t allocator);
void ghcomp_allocator_free(void *memory);

/* ------------------------------------------------------------- pinned memory */

/* Memory that is locked, so that it is never paged out (the trait pinned).
   What a process may lock is little, and is counted in pages: small blocks
   share them.  Spec: 5.2, 6.2.  */

/* Zeroed and aligned to 16; NULL where no more can be locked.  */
void *ghcomp_pinned_get(size_t size);

/* A block and the size that it was asked for with.  */
void ghcomp_pinned_release(void *memory, size_t size);

/* ------------------------------------------ addresses of allocate directives */

/* Which addresses came from an allocate directive: Fortran's allocatables do
   not remember it.  */

void ghcomp_alloc_registry_add(void *memory);
bool ghcomp_alloc_registry_has(const void *memory);
void ghcomp_alloc_registry_remove(const void *memory); /* nothing when it is not there */

#endif
