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

/* The C library's functions, known to handlers that interrupt them (inside.h).  Other code of the runtime does not call
   malloc itself: a handler's region would wait for malloc's lock, which the interrupted code holds.  (machine/ and threads/ hold
   handlers off where the C library allocates for them, or their callers count themselves inside.)  */

/* If there is no memory, these end the process with one message, because OpenMP has no other way to report it.  */
void *ghcomp_memory_get(size_t size);      /* as malloc */
void *ghcomp_memory_get_zero(size_t size); /* zeroed */
void *ghcomp_memory_get_lines(size_t size); /* zeroed, on a cache line of its own */
char *ghcomp_memory_copy_text(const char *text);

/* If there is no memory, these return NULL.  */
void *ghcomp_memory_try(size_t size);
void *ghcomp_memory_try_zero(size_t size);
void *ghcomp_memory_try_lines(size_t size);
void *ghcomp_memory_try_aligned(size_t alignment, size_t size); /* a power of two, and a multiple of it */

void ghcomp_memory_release(void *memory);

/* Returns `memory`, which malloc has returned for the size; ends the process if it is NULL.  For a
   caller that holds a lock: it releases the lock first, because code that runs at the process's end
   may need it.  */
void *ghcomp_memory_demand(void *memory, size_t size);

#endif
