/* Transforms by FFTW's OpenMP library; prints sums of the results, to the last bit.  The plans are estimated: measured
   ones would differ from run to run.  usage: fftw THREADS  */
#include <complex.h>
#include <fftw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void transform(const char *name, int rank, const int *sizes, int rounds)
{
  int total = 1;
  for (int i = 0; i < rank; i++)
    total *= sizes[i];
  fftw_complex *data = fftw_alloc_complex(total);
  fftw_plan there = fftw_plan_dft(rank, sizes, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
  fftw_plan back = fftw_plan_dft(rank, sizes, data, data, FFTW_BACKWARD, FFTW_ESTIMATE);
  if (data == NULL || there == NULL || back == NULL)
    exit(1);
  for (int i = 0; i < total; i++)
    data[i] = sin(i) + I * cos(i * 0.5);
  complex double middle = 0, end = 0;
  for (int round = 0; round < rounds; round++) {
    fftw_execute(there);
    for (int i = 0; i < total; i++)
      middle += data[i] * sin(i + 1);
    fftw_execute(back);
    for (int i = 0; i < total; i++)
      data[i] /= total;
  }
  for (int i = 0; i < total; i++)
    end += data[i] * sin(i + 1);
  printf("%s: %a %a, and back %a %a\n", name, creal(middle), cimag(middle), creal(end), cimag(end));
  fftw_destroy_plan(there);
  fftw_destroy_plan(back);
  fftw_free(data);
}

int main(int argc, char **argv)
{
  if (argc != 2 || !fftw_init_threads())
    return 1;
  fftw_plan_with_nthreads(atoi(argv[1]));
  transform("line", 1, (int[]){1 << 19}, 3);
  transform("plane", 2, (int[]){700, 800}, 3);
  transform("box", 3, (int[]){80, 72, 90}, 3);
  transform("small boxes", 3, (int[]){24, 24, 24}, 100);
  return 0;
}
