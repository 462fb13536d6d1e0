/* A thread of the program gives its processor to OS threads of the RTS that wait for one. */
#ifndef GHCOMP_THREADS_GIVE_WAY_H
#define GHCOMP_THREADS_GIVE_WAY_H

#include <stdint.h>

/* In cycles: it does not pay before this time, because lately other programs got the processor.  */
uint64_t ghcomp_give_way_due(void);

/* Yields.  Returns the same as ghcomp_give_way_due afterwards.  Cost: two system calls more than a yield.  */
uint64_t ghcomp_give_way(void);

#endif
