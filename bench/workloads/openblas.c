#include "openblas.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const places[] = {
    "/usr/lib/x86_64-linux-gnu/openblas-openmp/libopenblas.so.0", /* Debian */
    "/usr/lib64/libopenblaso.so.0",                               /* Fedora */
    "libopenblas.so.0",
};

/* A library whose threads are not OpenMP's would measure something else.  */
static bool is_openmp(void *library)
{
  int (*kind)(void) = (int (*)(void))dlsym(library, "openblas_get_parallel");
  return kind != NULL && kind() == 2;
}

static void *find(const char *name, int threads)
{
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    void *library = dlopen(places[i], RTLD_NOW);
    void (*set)(int) = library != NULL ? (void (*)(int))dlsym(library, "openblas_set_num_threads") : NULL;
    if (set == NULL || !is_openmp(library))
      continue;
    if (threads > 0)
      set(threads);
    return dlsym(library, name);
  }
  return NULL;
}

dgemm *openblas_find(int threads)
{
  return (dgemm *)find("cblas_dgemm", threads);
}

static void *load(const char *name, int threads)
{
  void *found = find(name, threads);
  if (found != NULL)
    return found;
  fprintf(stderr, "no OpenBLAS with OpenMP threads and %s is here (Debian: libopenblas0-openmp)\n", name);
  exit(1);
}

dgemm *openblas_load(int threads)
{
  return (dgemm *)load("cblas_dgemm", threads);
}

void *openblas_function(const char *name)
{
  return load(name, 0);
}
