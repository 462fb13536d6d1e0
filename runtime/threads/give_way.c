/* A thread of the program yields, so that OS threads of the RTS get a processor.

   Where other programs compute they get the processor instead, for a whole time slice.  Then the process computes little
   during the yield, and threads yield more and more rarely.  */
#include "threads/give_way.h"

#include "base/atomics.h"
#include "base/cycles.h"
#include "machine/processors.h"
#include "machine/thread.h"

/* After a yield that was as long as this and went to others: no other one for twice as long as it took, then for four times,
   and so on.  */
#define LONG_NS 500000u
enum { MOST_IN_A_ROW = 8 };

/* For the whole process.  Relaxed: if two threads yield at the same time, one yield is too many.  */
static _Atomic uint64_t due;  /* cycles */
static _Atomic unsigned lost; /* long yields in a row that went to others */

uint64_t ghcomp_give_way_due(void)
{
  return load_relaxed(&due);
}

static void learn(uint64_t took, uint64_t computed)
{
  unsigned in_a_row = load_relaxed(&lost);
  if (took < cycles_in(LONG_NS))
    return;
  if (computed >= took - took / 8) {
    store_relaxed(&lost, 0);
    return;
  }
  store_relaxed(&lost, in_a_row < MOST_IN_A_ROW ? in_a_row + 1 : in_a_row);
  store_relaxed(&due, cycles_now() + (took << (in_a_row + 1)));
}

uint64_t ghcomp_give_way(void)
{
  uint64_t began = cycles_now(), computed = ghcomp_machine_process_computed();
  ghcomp_machine_yield();
  uint64_t took = cycles_now() - began;
  learn(took, cycles_in(ghcomp_machine_process_computed() - computed));
  return load_relaxed(&due);
}
