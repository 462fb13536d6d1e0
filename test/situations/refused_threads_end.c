/* The user asks for the program's end where a region is refused threads.
   env: GHCOMP_REFUSED_THREADS=end
   status: 1
   stderr: ghcomp: a thread could not be created \(clone: .*: the limit of threads, ulimit -u or a container's\): a region wanted 4 threads and could have 1; the program ends here \(GHCOMP_REFUSED_THREADS=end\)\n$ */
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
  if (setuid(54323) != 0 || setrlimit(RLIMIT_NPROC, &(struct rlimit){1, 1}) != 0)
    return 77;
  int size = 0;
#pragma omp parallel num_threads(4) reduction(+ : size)
  size++;
  return size + 1;
}
