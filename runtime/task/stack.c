#include "task/stack.h"

#include "machine/processors.h"
#include "machine/thread.h"
#include "state/thread.h"
#include "wait/parking.h"

uint32_t ghcomp_stack_measure(void)
{
  size_t part = ghcomp_machine_stack_left() / STACK_SHARE;
  return part < STACK_PART_MOST ? (uint32_t)part : STACK_PART_MOST;
}

uint32_t ghcomp_stack_share(void)
{
  unsigned processors = ghcomp_machine_processors(), threads = ghcomp_parking_crowd_size() + 1;
  if (threads <= processors)
    return STACK_PART_MOST;
  uint32_t fair = (uint32_t)((uint64_t)STACK_PART_MOST * processors / threads);
  return fair > STACK_PART_LEAST ? fair : STACK_PART_LEAST;
}
