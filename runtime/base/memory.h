/* The cache line is the unit of sharing between processors.  Fields that different threads write
   are on different lines.  */
#ifndef GHCOMP_BASE_MEMORY_H
#define GHCOMP_BASE_MEMORY_H

#include <stddef.h>

#define CACHELINE 64
#define CACHE_ALIGNED _Alignas(CACHELINE)

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* ---------------------------------------------------------------- allocation */

/* Allocation that does not return if there is no memory: the process ends with one message, because
   OpenMP has no other way to report it.  */

void *ghcomp_memory_get(size_t size);      /* as malloc */
void *ghcomp_memory_get_zero(size_t size); /* zeroed */
void *ghcomp_memory_get_lines(size_t size); /* zeroed, on a cache line of its own */
void *ghcomp_memory_try_lines(size_t size); /* the same; NULL if there is no memory */
char *ghcomp_memory_copy_text(const char *text);
void ghcomp_memory_release(void *memory);

/* Returns `memory`, which malloc has returned for the size; ends the process if it is NULL.  For a
   caller that holds a lock: it releases the lock first, because code that runs at the process's end
   may need it.  */
void *ghcomp_memory_demand(void *memory, size_t size);

#endif
