/* A target region on omp_invalid_device ends the program; buffered output is written.
   status: 1
   stdout: before
   stderr: ghcomp: omp_invalid_device encountered, expected a device number from omp_initial_device .-1. on; the program ends here */
#include <omp.h>
#include <stdio.h>

int main(void)
{
  omp_set_default_device(-4 /* omp_invalid_device */);
  printf("before\n");
#pragma omp target
  printf("not here\n");
  return 0;
}
