/* A program with much thread-local data, as one linked with OpenBLAS.  Such data lies on the stack of
   each thread, so a small stack may be too small for it.  The requested substrate must serve with all
   threads, also where the user asks for stacks that are smaller than the data.
   wrap: %s && OMP_STACKSIZE=64K %s */
#include <dlfcn.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static __thread char large[60000];
static __thread char larger[400000];

int main(void)
{
  const char *(*name)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "ghcomp_substrate_name");
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
    memset(large, omp_get_thread_num(), sizeof large);
    memset(larger, omp_get_thread_num(), sizeof larger);
    sum += 1 + 100 * (large[999] + larger[sizeof larger - 1]);
  }
  return sum == 4 + 100 * 12 && strcmp(name(), getenv("GHCOMP_SUBSTRATE")) == 0 ? 0 : 1;
}
