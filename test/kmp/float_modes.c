/* The threads of a region have the floating-point modes that its master has set before it, in each region anew, as with
   libomp (KMP_INHERIT_FP_CONTROL): the rounding of the C library, and whether tiny numbers become zero.  What a thread of the
   team sets for itself lasts until the next region.  Three masters, each with modes of its own.
   link: -lm  */
#include <fenv.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum { MASTERS = 3, REGIONS = 400, THREADS = 4 };
static const int roundings[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
static int wrong;

static int flushes(void)
{
#if defined(__x86_64__)
  return _MM_GET_FLUSH_ZERO_MODE() == _MM_FLUSH_ZERO_ON;
#else
  return 0;
#endif
}

static void set_flushing(int on)
{
#if defined(__x86_64__)
  _MM_SET_FLUSH_ZERO_MODE(on ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
#endif
  (void)on;
}

static void look(int rounding, int flushing)
{
  if (fegetround() != rounding || flushes() != flushing)
#pragma omp atomic
    wrong++;
  fesetround(FE_UPWARD); /* the thread's own, until the next region */
}

static void *master(void *number)
{
  for (long i = 0, at = (long)number; i < REGIONS; i++, at++) {
    int rounding = roundings[at % 4];
    fesetround(rounding);
    set_flushing(at % 3 == 0);
    int flushing = flushes();
#pragma omp parallel num_threads(THREADS)
    look(rounding, flushing);
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[MASTERS];
  for (long i = 0; i < MASTERS; i++)
    pthread_create(&threads[i], NULL, master, (void *)i);
  for (long i = 0; i < MASTERS; i++)
    pthread_join(threads[i], NULL);
  if (wrong != 0)
    fprintf(stderr, "%d of %d threads have other modes than their master\n", wrong, MASTERS * REGIONS * THREADS);
  return wrong != 0;
}
