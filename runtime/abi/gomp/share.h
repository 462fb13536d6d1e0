/* Two optional arguments that worksharing constructs have in common: a list of task reductions, and
   scratch memory that the members share (size in, address out).  */
#ifndef GHCOMP_ABI_SHARE_H
#define GHCOMP_ABI_SHARE_H

#include "abi/border.h"
#include "task/taskgroup.h"
#include "work/slots.h"

static inline void ghcomp_share_doacross(struct thread *self, struct slot *slot,
                                         uintptr_t *reductions, void **memory,
                                         unsigned dimensions, const uint64_t *counts)
{
  struct slot_plan plan = {.reductions = reductions,
                           .scratch = memory != NULL ? (size_t)*memory : 0,
                           .dimensions = dimensions,
                           .counts = counts,
                           .loop = &self->member->work.loop,
                           .threads = self->member->team->size};
  struct slot_extra *extra = ghcomp_slots_extra(slot, &plan);
  if (memory != NULL)
    *memory = extra->scratch;
  if (reductions != NULL)
    ghcomp_reduction_begin_construct(self, extra->reductions, reductions);
}

static inline void ghcomp_share_construct(struct thread *self, struct slot *slot,
                                          uintptr_t *reductions, void **memory)
{
  if (reductions != NULL || memory != NULL)
    ghcomp_share_doacross(self, slot, reductions, memory, 0, NULL);
}

#endif
