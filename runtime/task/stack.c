#include "task/stack.h"

#include "machine/processors.h"
#include "machine/thread.h"
#include "state/thread.h"
#include "wait/parking.h"

size_t ghcomp_stack_left_elsewhere(struct thread *self, uintptr_t here)
{
  if (self->stack_size == 0 && !ghcomp_machine_own_stack(&self->stack_lowest, &self->stack_size))
    self->stack_lowest = 0, self->stack_size = 1; /* known: no address is on it */
  size_t left = here - self->stack_lowest;
  return left < self->stack_size ? left : 0;
}

uint32_t ghcomp_stack_share(void)
{
  unsigned processors = ghcomp_machine_processors(), threads = ghcomp_parking_crowd_size() + 1;
  if (threads <= processors)
    return STACK_PART_MOST;
  uint32_t fair = (uint32_t)((uint64_t)STACK_PART_MOST * processors / threads);
  return fair > STACK_PART_LEAST ? fair : STACK_PART_LEAST;
}
