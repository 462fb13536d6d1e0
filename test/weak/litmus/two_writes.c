/* 2+2W: can both locations keep their first write?
-DS=store_relaxed : 11 12 21 22
-DS=store_release : 11 12 21 22
-DS=store_seq_cst : 12 21 22
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) S(&x, 1); S(&y, 2);
THREAD(1) S(&y, 1); S(&x, 2);
OUTCOME(2, (int)load_relaxed(&x), (int)load_relaxed(&y))
