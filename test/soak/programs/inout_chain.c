/* Tasks in a chain of inout dependences, created by a thread that does nothing else.  */
#include "soak.h"

static long x;

int main(int count, char **arguments)
{
  long rounds = soak_rounds(count, arguments);
  soak_note_stack();
#pragma omp parallel num_threads(2)
#pragma omp single
  for (long i = 0; i < rounds; i++)
#pragma omp task depend(inout : x)
  {
    soak_note_stack();
    for (volatile int k = 0; k < 100; k++)
      ;
    x++;
  }
  return soak_end(x == rounds);
}
