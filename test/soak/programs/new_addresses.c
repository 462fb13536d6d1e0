/* One long task creates tasks that each depend on a new address, and sometimes waits for them.  */
#include "soak.h"

static atomic_long done;

int main(int count, char **arguments)
{
  long rounds = soak_rounds(count, arguments);
  soak_note_stack();
#pragma omp parallel num_threads(2)
#pragma omp single
  for (long i = 0; i < rounds; i++) {
    char *address = (char *)0x100000000 + 64 * i; /* never read or written */
    (void)address;
#pragma omp task depend(inout : address[0])
    {
      soak_note_stack();
      done++;
    }
    if (i % 100 == 99) {
#pragma omp taskwait
    }
  }
  return soak_end(done == rounds);
}
