/* Threads call FFTW at the same time; the plan uses OpenMP threads.

   usage: fftw_callers WORKERS callers=N transforms=N     prints rows in milliseconds */
#include "calls.h"
#include "keys.h"

#include <complex.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 256, CELLS = SIZE * SIZE };
enum { FORWARD = -1, ESTIMATE = 1 << 6 }; /* as in fftw3.h */

/* The input has waves with these numbers along both axes: the result has one cell for each, and zeros elsewhere.  */
static const struct wave {
  int x, y;
  double size;
} waves[] = {{1, 2, 1.0}, {17, 250, 0.5}, {128, 3, 0.25}};

enum { ALIGNED = 64 }; /* a plan needs arrays with the alignment of those for which it was made */
static _Alignas(ALIGNED) double complex given[CELLS];
static double complex expected[CELLS];
static void *plan;
static void (*execute)(const void *, double complex *, double complex *);

static void fail(const char *what)
{
  fprintf(stderr, "fftw_callers: %s\n", what);
  exit(1);
}

static void *find(void *library, const char *name)
{
  void *found = dlsym(library, name);
  if (found == NULL)
    fail(dlerror());
  return found;
}

static void *make_result(void)
{
  void *made = aligned_alloc(ALIGNED, sizeof given);
  if (made == NULL)
    fail("no memory");
  return made;
}

/* libfftw3_omp loads libfftw3, which contains the other functions.  */
static void load(int threads)
{
  void *library = dlopen("libfftw3_omp.so.3", RTLD_NOW);
  int (*begin)(void);
  void (*use_threads)(int);
  void *(*make_plan)(int, int, double complex *, double complex *, int, unsigned);
  char *(*describe)(const void *);
  if (library == NULL)
    fail("no FFTW with OpenMP threads is here (Debian: libfftw3-double3)");
  *(void **)&begin = find(library, "fftw_init_threads");
  *(void **)&use_threads = find(library, "fftw_plan_with_nthreads");
  *(void **)&make_plan = find(library, "fftw_plan_dft_2d");
  *(void **)&describe = find(library, "fftw_sprint_plan");
  *(void **)&execute = find(library, "fftw_execute_dft");
  if (begin() == 0)
    fail("FFTW cannot have threads");
  use_threads(threads);
  double complex *to = make_result();
  plan = make_plan(SIZE, SIZE, given, to, FORWARD, ESTIMATE);
  free(to);
  if (plan == NULL || (threads > 1 && strstr(describe(plan), "dft-thr") == NULL))
    fail("FFTW has no plan with threads");
}

static void prepare(void)
{
  for (int i = 0; i < CELLS; i++)
    for (size_t w = 0; w < sizeof waves / sizeof *waves; w++) {
      int turns = (i / SIZE * waves[w].x + i % SIZE * waves[w].y) % SIZE;
      given[i] += waves[w].size * cexp(2 * M_PI * I * turns / SIZE);
    }
  for (size_t w = 0; w < sizeof waves / sizeof *waves; w++)
    expected[waves[w].x * SIZE + waves[w].y] = waves[w].size * CELLS;
}

static void spoil(void *result)
{
  memset(result, 0xff, sizeof expected); /* NaN */
}

static void transform(void *result)
{
  execute(plan, given, result);
}

static int is_transform(const void *result)
{
  const double complex *cells = result;
  for (int i = 0; i < CELLS; i++)
    if (!(cabs(cells[i] - expected[i]) < 1e-6))
      return 0;
  return 1;
}

int main(int argc, char **argv)
{
  static const struct calls transforms = {"transform", make_result, spoil, transform, is_transform};
  long workers, callers = 0, count = 0;
  const struct key keys[] = {{"callers", &callers}, {"transforms", &count}};
  if (!keys_read(keys, 2, argc, argv, &workers))
    return 2;
  calls_check(&transforms, callers, count);
  load((int)workers);
  prepare();
  void *result = make_result();
  transform(result); /* afterwards the libraries have what they need */
  free(result);
  calls_measure(&transforms, callers, count);
  return 0;
}
