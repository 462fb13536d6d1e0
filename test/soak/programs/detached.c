/* Detached tasks; a child of each fulfills its event.  */
#include "soak.h"

static atomic_long done;

int main(int count, char **arguments)
{
  long rounds = soak_rounds(count, arguments);
  soak_note_stack();
#pragma omp parallel num_threads(3)
#pragma omp single
  for (long i = 0; i < rounds; i++) {
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
      omp_event_handle_t mine = event;
      soak_note_stack();
#pragma omp task firstprivate(mine)
      {
        soak_note_stack();
        done++;
        omp_fulfill_event(mine);
      }
    }
  }
  return soak_end(done == rounds);
}
