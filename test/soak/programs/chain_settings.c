/* A task changes its ICVs, creates its successor and ends, in a team of two.  */
#include "soak.h"

static long links, done;

static void link_of(long number)
{
  soak_note_stack();
  done++;
  omp_set_schedule(omp_sched_dynamic, (int)(number % 100) + 1);
  if (number < links)
#pragma omp task firstprivate(number)
    link_of(number + 1);
}

int main(int count, char **arguments)
{
  links = soak_rounds(count, arguments);
  soak_note_stack();
#pragma omp parallel num_threads(2)
#pragma omp single
  link_of(1);
  return soak_end(done == links);
}
