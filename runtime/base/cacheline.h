/* The unit of sharing between processors.  Fields that different threads write
   stand on different lines.  */
#ifndef GHCOMP_BASE_CACHELINE_H
#define GHCOMP_BASE_CACHELINE_H

#define CACHELINE 64
#define CACHE_ALIGNED _Alignas(CACHELINE)

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#endif
