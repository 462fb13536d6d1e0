/* Load buffering: C11 allows 11 with relaxed accesses, but the explorer does not explore it.
-DS=store_relaxed -DL=load_relaxed : 00 01 10
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) r[0] = (int)L(&x); S(&y, 1);
THREAD(1) r[1] = (int)L(&y); S(&x, 1);
OUTCOME(2, r[0], r[1])
