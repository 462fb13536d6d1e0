/* No addition is lost, and each reads a different value.
-DA=add_relaxed : 3012 3021 3102 3120 3201 3210
-DA=add_seq_cst : 3012 3021 3102 3120 3201 3210
*/
#include "litmus.h"
BEGIN(3)
THREAD(0) r[0] = (int)A(&x, 1);
THREAD(1) r[1] = (int)A(&x, 1);
THREAD(2) r[2] = (int)A(&x, 1);
OUTCOME(4, (int)load_relaxed(&x), r[0], r[1], r[2])
