/* Constructs with nowait, in one region of three threads.  */
#include "soak.h"

static atomic_long iterations;

int main(int count, char **arguments)
{
  long rounds = soak_rounds(count, arguments), singles = 0;
#pragma omp parallel num_threads(3)
  for (long i = 0; i < rounds; i++) {
    long mine = 0;
#pragma omp for schedule(dynamic) nowait
    for (int k = 0; k < 3; k++)
      mine++;
    if (mine != 0)
      iterations += mine;
#pragma omp single nowait
#pragma omp atomic
    singles++;
  }
  return soak_end(singles == rounds && iterations == 3 * rounds);
}
