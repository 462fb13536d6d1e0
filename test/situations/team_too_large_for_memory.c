/* A region that asks for more threads than memory allows gets fewer.
   env: OMP_STACKSIZE=4m
   stderr: ^ghcomp: a thread could not be created \(malloc: out of memory for its descriptor\): a region that wanted 60000 threads runs with \d+; this is said once\n$ */
#include <omp.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

static int threads_of(int wanted)
{
  int came = 0, size = 0;
#pragma omp parallel num_threads(wanted) reduction(+ : came)
  {
    came++;
#pragma omp single
    size = omp_get_num_threads();
  }
  return came == size ? size : -1;
}

int main(void)
{
  long pages = 0;
  if (threads_of(2) != 2)
    return 1;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL || fscanf(file, "%ld", &pages) != 1)
    return 2;
  fclose(file);
  rlim_t limit = (rlim_t)(pages * sysconf(_SC_PAGESIZE)) + ((rlim_t)12 << 20); /* one or two more stacks */
  if (setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) != 0)
    return 3;
  int size = threads_of(60000);
  return size < 2 || size == 60000 || threads_of(2) != 2;
}
