/* A compare-and-swap has one winner; the loser sees the winner's value.
-DC=cas_relaxed : 111 222
-DC=cas_seq_cst : 111 222
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) { uint32_t e = 0; C(&x, &e, 1); r[0] = e == 0 ? 1 : (int)e; }
THREAD(1) { uint32_t e = 0; C(&x, &e, 2); r[1] = e == 0 ? 2 : (int)e; }
OUTCOME(3, (int)load_relaxed(&x), r[0] == 1 ? 1 : 2, r[1] == 2 ? 2 : 1)
