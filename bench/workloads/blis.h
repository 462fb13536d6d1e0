/* BLIS with OpenMP threads, found where distributions put it.  It uses as many threads as BLIS_NUM_THREADS
   or OMP_NUM_THREADS says, and one if neither is set.  */
#pragma once

#include "openblas.h"

/* BLIS's cblas_dgemm; ends the program with a message if there is no BLIS.  */
dgemm *blis_load(void);
