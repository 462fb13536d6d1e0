/* OpenBLAS whose threads are OpenMP's, found where distributions keep it.  */
#ifndef OPENBLAS_H
#define OPENBLAS_H

typedef void dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);

/* Its cblas_dgemm, or NULL.  `threads`: how many it is to use; 0: as many as OpenMP says.  */
dgemm *openblas_find(int threads);

/* The same; ends the program with a message where there is none.  */
dgemm *openblas_load(int threads);

/* c = a b, n by n, row after row.  */
static inline void openblas_multiply(dgemm *blas, int n, const double *a, const double *b, double *c)
{
  enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };
  blas(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, 1, a, n, b, n, 0, c, n);
}

#endif
