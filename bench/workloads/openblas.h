/* OpenBLAS with OpenMP threads, found where distributions put it.  */
#ifndef OPENBLAS_H
#define OPENBLAS_H

typedef void dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);

/* OpenBLAS's cblas_dgemm, or NULL.  `threads`: how many it uses; 0: as many as OpenMP says.  */
dgemm *openblas_find(int threads);

/* The same function; ends the program with a message if there is no OpenBLAS.  */
dgemm *openblas_load(int threads);

/* Another of its functions, which uses as many threads as OpenMP says; ends the program with a message if
   there is none.  */
void *openblas_function(const char *name);

/* c = a b, n by n, row after row.  */
static inline void openblas_multiply(dgemm *blas, int n, const double *a, const double *b, double *c)
{
  enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };
  blas(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, 1, a, n, b, n, 0, c, n);
}

#endif
