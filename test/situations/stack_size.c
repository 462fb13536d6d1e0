/* Workers have the stack that OMP_STACKSIZE asks for.
   env: OMP_STACKSIZE=64M */
#include <omp.h>
#include <string.h>

static int deep(void)
{
  volatile char block[48 << 20];
  for (unsigned i = 0; i < sizeof block; i += 4096)
    block[i] = 1;
  return block[4096 * 3];
}

int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum += omp_get_thread_num() != 0 ? deep() : 1;
  return sum == 3 ? 0 : 1;
}
