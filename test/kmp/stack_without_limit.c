/* After ulimit -s unlimited, as scripts for Fortran programs say, workers have 64 MB of stack, as LLVM's runtime gives them; the C
   library would give 2 MB.  A size that is given counts.
   wrap: ulimit -s unlimited || exit; %s && OMP_STACKSIZE='5 MB' %s small */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static size_t stack_of_worker(void)
{
  size_t size = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
  }
  return size;
}

int main(int argc, char **argv)
{
  size_t size = stack_of_worker(), told = kmp_get_stacksize_s(), expected = (size_t)(argc > 1 ? 5 : 64) << 20;
  (void)argv;
  printf("stacks of %zu bytes, and %zu are told; expected %zu\n", size, told, expected);
  return size < expected || told != expected || (argc > 1 && size > 2 * expected);
}
