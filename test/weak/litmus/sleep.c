/* A futex: a thread changes the word, then wakes the sleeper.  Without the wake-up the sleeper
   sleeps for ever in some execution.
-DWAKE=1 : 1
-DWAKE=0 : fault
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) while (load_relaxed(&x) == 0) weak_futex_wait(&x, 0);
THREAD(1) store_relaxed(&x, 1); if (WAKE) weak_futex_wake(&x, 1);
OUTCOME(1, (int)load_relaxed(&x))
