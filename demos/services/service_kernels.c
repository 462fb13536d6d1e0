/* The C side of the service: a parallel loop, and a product by OpenBLAS whose threads are OpenMP's.
   It knows nothing of ghc-openmp: whose OpenMP it is, the loader says.  */
#define _GNU_SOURCE
#include "service.h"

#include <dlfcn.h>
#include <stddef.h>

typedef void dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);

static const char *const places[] = {
    "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0", /* Debian */
    "/usr/lib64/libopenblaso.so.0",                               /* Fedora */
    "libopenblas.so.0",
};

static dgemm *blas;
static double left[PRODUCT_SIZE * PRODUCT_SIZE], right[PRODUCT_SIZE * PRODUCT_SIZE];

/* 0 where there is no OpenBLAS with OpenMP threads.  Called once, before all others.  */
int service_begin(void)
{
  for (size_t i = 0; i < sizeof places / sizeof *places && blas == NULL; i++) {
    void *library = dlopen(places[i], RTLD_NOW);
    int (*kind)(void) = library != NULL ? (int (*)(void))dlsym(library, "openblas_get_parallel") : NULL;
    if (kind != NULL && kind() == 2)
      blas = (dgemm *)dlsym(library, "cblas_dgemm");
  }
  for (long cell = 0; cell < (long)PRODUCT_SIZE * PRODUCT_SIZE; cell++) {
    left[cell] = service_left(cell);
    right[cell] = service_right(cell);
  }
  return blas != NULL;
}

/* The file that the regions run on.  */
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

/* c is room for the product.  */
long service_product(long seed, double *c)
{
  enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, n = PRODUCT_SIZE };
  blas(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, (double)(seed + 1), left, n, right, n, 0, c, n);
  return service_checksum(c);
}
