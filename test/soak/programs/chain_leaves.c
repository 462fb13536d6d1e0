/* Each link of a chain creates many leaf tasks and then its successor; bodies use 8 KB of stack.  A
   round is a task.  */
#include "soak.h"

enum { LEAVES = 32, FRAME = 8192 };

static long links;
static atomic_long done;

static void link_of(long number)
{
  char frame[FRAME];
  memset(frame, 1, FRAME);
  soak_note_stack();
  done += frame[number % FRAME];
  if (number >= links)
    return;
  for (int i = 0; i < LEAVES; i++)
#pragma omp task
    link_of(links);
#pragma omp task firstprivate(number)
  link_of(number + 1);
}

int main(int count, char **arguments)
{
  links = soak_rounds(count, arguments) / (LEAVES + 1);
  soak_note_stack();
#pragma omp parallel num_threads(2)
#pragma omp single
  link_of(1);
  return soak_end(done == links + (links - 1) * LEAVES);
}
