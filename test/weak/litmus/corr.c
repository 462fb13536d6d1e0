/* Coherence: two reads of one location never go back, whatever the order.
-DL=load_relaxed : 00 01 02 11 12 22
-DL=load_seq_cst : 00 01 02 11 12 22
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) store_relaxed(&x, 1); store_relaxed(&x, 2);
THREAD(1) r[0] = (int)L(&x); r[1] = (int)L(&x);
OUTCOME(2, r[0], r[1])
