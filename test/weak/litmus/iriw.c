/* Two writers: can two readers disagree on which write came first?
-DS=store_relaxed -DL=load_relaxed : 0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111
-DS=store_release -DL=load_acquire : 0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111
-DS=store_seq_cst -DL=load_seq_cst : 0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011 1100 1101 1110 1111
*/
#include "litmus.h"
BEGIN(4)
THREAD(0) S(&x, 1);
THREAD(1) S(&y, 1);
THREAD(2) r[0] = (int)L(&x); r[1] = (int)L(&y);
THREAD(3) r[2] = (int)L(&y); r[3] = (int)L(&x);
OUTCOME(4, r[0], r[1], r[2], r[3])
