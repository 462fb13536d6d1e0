/* Which addresses came from an allocate directive: Fortran's allocatables do
   not remember it.  */
#ifndef GHCOMP_MEMORY_ALLOC_REGISTRY_H
#define GHCOMP_MEMORY_ALLOC_REGISTRY_H

#include <stdbool.h>

void ghcomp_alloc_registry_add(void *memory);
bool ghcomp_alloc_registry_has(const void *memory);
void ghcomp_alloc_registry_remove(const void *memory); /* nothing when it is not there */

#endif
