/* Store buffering: can both threads miss the other's write?  Only four sequentially consistent
   accesses forbid it.  A read-modify-write with acquire and release forbids nothing.
-DS=store_relaxed -DL=load_relaxed -DL2=load_relaxed : 00 01 10 11
-DS=store_release -DL=load_acquire -DL2=load_acquire : 00 01 10 11
-DS=store_seq_cst -DL=load_acquire -DL2=load_acquire : 00 01 10 11
-DS=store_seq_cst -DL=load_seq_cst -DL2=load_acquire : 00 01 10 11
-DS=store_release -DL=load_seq_cst -DL2=load_seq_cst : 00 01 10 11
-DS=store_seq_cst -DL=load_seq_cst -DL2=load_seq_cst : 01 10 11
-DS=swap_acq_rel -DL=load_seq_cst -DL2=load_seq_cst : 00 01 10 11
-DS=swap_seq_cst -DL=load_acquire -DL2=load_seq_cst : 00 01 10 11
-DS=swap_seq_cst -DL=load_seq_cst -DL2=load_seq_cst : 01 10 11
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) S(&x, 1); r[0] = (int)L(&y);
THREAD(1) S(&y, 1); r[1] = (int)L2(&x);
OUTCOME(2, r[0], r[1])
