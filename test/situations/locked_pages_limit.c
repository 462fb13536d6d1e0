/* All future pages of a process are locked, and it may lock few.  Messages must name that limit, not another one.
   stderr: ^(?!.*ulimit -[^l])ghcomp: [\s\S]*a thread could not be created \(mmap of \d+ KB: Resource temporarily unavailable: the limit of locked pages, ulimit -l\): a region that wanted 6 threads runs with 1 */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
  int size = 0;
  rlim_t most = (rlim_t)8 << 20;
  if (setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){most, most}) != 0 || setuid(54324) != 0 || mlockall(MCL_FUTURE) != 0)
    return 77;
#pragma omp parallel num_threads(6) reduction(+ : size)
  size++;
  return size != 1;
}
