/* Many tasks of a few priorities, created by a thread that does nothing else.  */
#include "soak.h"

static atomic_long done;

int main(int count, char **arguments)
{
  long rounds = soak_rounds(count, arguments);
  soak_note_stack();
#pragma omp parallel num_threads(2)
#pragma omp single
  for (long i = 0; i < rounds; i++)
#pragma omp task priority(i % 4)
  {
    soak_note_stack();
    done++;
  }
  return soak_end(done == rounds);
}
