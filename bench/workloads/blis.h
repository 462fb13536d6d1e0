/* BLIS whose threads are OpenMP's, found where distributions keep it.  It takes as many as BLIS_NUM_THREADS
   or OMP_NUM_THREADS say, and one where neither is set.  */
#pragma once

#include "openblas.h"

/* Its cblas_dgemm; ends the program with a message where there is none.  */
dgemm *blis_load(void);
