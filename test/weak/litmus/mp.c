/* Message passing: can a thread see the flag, but not the data?
-DS=store_relaxed -DL=load_relaxed : 00 01 10 11
-DS=store_release -DL=load_relaxed : 00 01 10 11
-DS=store_relaxed -DL=load_acquire : 00 01 10 11
-DS=store_release -DL=load_acquire : 00 01 11
-DS=store_seq_cst -DL=load_seq_cst : 00 01 11
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) store_relaxed(&x, 1); S(&y, 1);
THREAD(1) r[0] = (int)L(&y); r[1] = (int)load_relaxed(&x);
OUTCOME(2, r[0], r[1])
