/* Two readers agree on the order of two writes to one location.
-DL=load_relaxed : 0000 0001 0002 0011 0012 0021 0022 0100 0101 0102 0111 0112 0121 0122 0200 0201 0202 0211 0212 0221 0222 1100 1101 1102 1111 1112 1121 1122 1200 1201 1202 1211 1212 1222 2100 2101 2102 2111 2121 2122 2200 2201 2202 2211 2212 2221 2222
*/
#include "litmus.h"
BEGIN(4)
THREAD(0) store_relaxed(&x, 1);
THREAD(1) store_relaxed(&x, 2);
THREAD(2) r[0] = (int)load_relaxed(&x); r[1] = (int)load_relaxed(&x);
THREAD(3) r[2] = (int)load_relaxed(&x); r[3] = (int)load_relaxed(&x);
OUTCOME(4, r[0], r[1], r[2], r[3])
