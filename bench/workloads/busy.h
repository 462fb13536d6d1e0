/* Processes that compute meanwhile on the same processors.  They end with the program.  */
#pragma once

enum { BUSY_MOST = 64 };

/* False: there are to be more than BUSY_MOST, or one cannot be made.  Called once, before the program has threads.  */
_Bool busy_start(long count);
void busy_stop(void);
