/* A task creates its successor and ends, in a team of one.  */
#include "soak.h"

static long links, done;

static void link_of(long number)
{
  soak_note_stack();
  done++;
  if (number < links)
#pragma omp task firstprivate(number)
    link_of(number + 1);
}

int main(int count, char **arguments)
{
  links = soak_rounds(count, arguments);
  soak_note_stack();
#pragma omp parallel num_threads(1)
  link_of(1);
  return soak_end(done == links);
}
