/* The C side of the service: a parallel loop, and a product by OpenBLAS with OpenMP threads.
   It knows nothing of ghc-openmp: the loader decides which OpenMP runtime serves it.  */
#define _GNU_SOURCE
#include "../../bench/workloads/openblas.h"
#include "service.h"

#include <dlfcn.h>
#include <stddef.h>

static dgemm *blas;
static double left[PRODUCT_SIZE * PRODUCT_SIZE], right[PRODUCT_SIZE * PRODUCT_SIZE];

/* Returns 0 if there is no OpenBLAS with OpenMP threads.  Called once, before all others.  */
int service_begin(void)
{
  blas = openblas_find(0);
  for (long cell = 0; cell < (long)PRODUCT_SIZE * PRODUCT_SIZE; cell++) {
    left[cell] = service_left(cell);
    right[cell] = service_right(cell);
  }
  return blas != NULL;
}

/* The path of the runtime that serves the regions.  */
const char *service_openmp(void)
{
  Dl_info found;
  void *function = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  return function != NULL && dladdr(function, &found) != 0 ? found.dli_fname : "unknown";
}

long service_kernel(long seed)
{
  uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < KERNEL_STEPS; i++)
    sum += service_summand(seed, i);
  return (long)sum;
}

/* The product is stored in c.  */
long service_product(long seed, double *c)
{
  enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, n = PRODUCT_SIZE };
  blas(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, (double)(seed + 1), left, n, right, n, 0, c, n);
  return service_checksum(c);
}
