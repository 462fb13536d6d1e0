/* A task changes its ICVs again and again, while its children run.  */
#include "soak.h"

static atomic_long done;

int main(int count, char **arguments)
{
  long rounds = soak_rounds(count, arguments);
  soak_note_stack();
#pragma omp parallel num_threads(3)
#pragma omp single
  for (long i = 0; i < rounds; i++) {
    omp_set_schedule(omp_sched_dynamic, (int)(i % 100) + 1);
#pragma omp task
    {
      soak_note_stack();
      done++;
    }
  }
  return soak_end(done == rounds);
}
