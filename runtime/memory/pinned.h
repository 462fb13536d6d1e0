/* Memory that is locked, so that it is never paged out (the trait pinned).
   What a process may lock is little, and is counted in pages: small blocks
   share them.  Spec: 5.2, 6.2.  */
#ifndef GHCOMP_MEMORY_PINNED_H
#define GHCOMP_MEMORY_PINNED_H

#include <stddef.h>

/* Zeroed and aligned to 16; NULL where no more can be locked.  */
void *ghcomp_pinned_get(size_t size);

/* A block and the size that it was asked for with.  */
void ghcomp_pinned_release(void *memory, size_t size);

#endif
