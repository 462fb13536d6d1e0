/* A user who may have no more threads gets a smaller team and one message.
   stderr: ghcomp: a thread could not be created \(.*\): a region that wanted 4 threads runs with 1 */
#include <omp.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
  struct rlimit none = {1, 1};
  int size = 0;
  if (setuid(54321) != 0 || setrlimit(RLIMIT_NPROC, &none) != 0)
    return 77;
  for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(4)
    {
#pragma omp single
      size += omp_get_num_threads();
    }
  }
  return size == 3 ? 0 : 1;
}
