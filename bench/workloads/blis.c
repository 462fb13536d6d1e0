#include "blis.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const places[] = {
    "/usr/lib/x86_64-linux-gnu/blis-openmp/libblis.so.4", /* Debian */
    "/usr/lib64/libbliso.so.4",                           /* Fedora */
    "libblis.so.4",
};

dgemm *blis_load(void)
{
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    void *library = dlopen(places[i], RTLD_NOW);
    long (*is_openmp)(void) = library != NULL ? (long (*)(void))dlsym(library, "bli_info_get_enable_openmp") : NULL;
    if (is_openmp != NULL && is_openmp())
      return (dgemm *)dlsym(library, "cblas_dgemm");
  }
  fprintf(stderr, "no BLIS with OpenMP threads is here (Debian: libblis4-openmp)\n");
  exit(1);
}
