#include "core/stack.h"

#include "substrate/machine.h"

uint32_t ghcomp_stack_measure(void)
{
  size_t part = ghcomp_machine_stack_left() / STACK_SHARE;
  return part < STACK_PART_MOST ? (uint32_t)part : STACK_PART_MOST;
}
