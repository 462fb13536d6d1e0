/* Store buffering with a read-modify-write of one common word between write and read.  The two
   have an order, so acquire and release suffice.
-DA=add_relaxed : 00 01 10 11
-DA=add_acq_rel : 01 10 11
-DA=add_seq_cst : 01 10 11
*/
#include "litmus.h"
BEGIN(2)
THREAD(0) store_relaxed(&x, 1); A(&z, 1); r[0] = (int)load_relaxed(&y);
THREAD(1) store_relaxed(&y, 1); A(&z, 1); r[1] = (int)load_relaxed(&x);
OUTCOME(2, r[0], r[1])
