/* Message passing of plain data: a race unless the flag orders the accesses.
-DS=store_relaxed -DL=load_acquire : race
-DS=store_release -DL=load_relaxed : race
-DS=store_release -DL=load_acquire : 00 11
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) plain = 1; S(&y, 1);
THREAD(1) r[0] = (int)L(&y); if (r[0]) r[1] = plain;
OUTCOME(2, r[0], r[1])
