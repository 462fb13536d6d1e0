/* The OpenMP part of PiMain.hs.  */
#include <omp.h>

double demo_pi(long n)
{
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; i++) {
    double x = (i + 0.5) / n;
    sum += 4.0 / (1.0 + x * x);
  }
  return sum / n;
}

int demo_threads(void)
{
  return omp_get_max_threads();
}
