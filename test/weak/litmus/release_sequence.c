/* A relaxed read-modify-write after a release passes on what the release published.  A relaxed
   write of another thread does not.
-DBETWEEN=add_relaxed : 000 001 010 011 101 111 211
-DBETWEEN=store_relaxed : 000 001 010 011 101 110 111
*/
#include "litmus.h"
BEGIN(3)
THREAD(0) store_relaxed(&x, 1); store_release(&y, 1);
THREAD(1) if (load_relaxed(&y) == 1) { r[1] = 1; BETWEEN(&y, 1); }
THREAD(2) r[0] = (int)load_acquire(&y); r[2] = (int)load_relaxed(&x);
OUTCOME(3, r[0], r[1], r[2])
