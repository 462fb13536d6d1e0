/* Regions for programs of many callers (Beside.hs, callers.c). */
#pragma once

#include <stdint.h>

/* A region of 64 iterations of so many steps each, and what they add up to.  Its first thread calls
   `inside`, if there is one, when its own iterations are done.  */
uint64_t beside_region(int64_t steps, void (*inside)(void *), void *argument);

/* The same sum, by the thread that calls.  */
uint64_t beside_alone(int64_t steps);

/* How many threads of the system the process has; 0 where /proc does not tell.  */
long beside_os_threads(void);
