/* Regions for programs of many callers (Beside.hs, callers.c). */
#pragma once

#include <stdint.h>

/* Executes a region of 64 iterations of `steps` steps each, and returns their sum.  If there is an `inside`, the region's
   first thread calls it after its own iterations.  */
uint64_t beside_region(int64_t steps, void (*inside)(void *), void *argument);

/* The same sum, computed by the calling thread.  */
uint64_t beside_alone(int64_t steps);

/* How many system threads the process has; 0 if /proc cannot tell.  */
long beside_os_threads(void);
