/* Both threads have a chain.  Each link creates one empty task beside its successor, which may stay
   in a deque for very long.  A round is a link.  */
#include "soak.h"

static long links;
static atomic_long done;

static void link_of(long number)
{
  soak_note_stack();
#pragma omp task
  done++;
  if (number < links)
#pragma omp task firstprivate(number)
    link_of(number + 1);
}

int main(int count, char **arguments)
{
  links = soak_rounds(count, arguments) / 2;
  soak_note_stack();
#pragma omp parallel num_threads(2)
  link_of(1);
  return soak_end(done == 2 * links);
}
