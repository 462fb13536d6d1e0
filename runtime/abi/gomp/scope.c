/* scope with a task reduction.  Spec: 5.2, 11.2.  */
#include "abi/gomp/share.h"

ENTRY_POINTS(gomp_scope);

EXPORT void GOMP_scope_start(uintptr_t *reductions)
{
  struct thread *self = ghcomp_self();
  struct slot *slot = ghcomp_slots_enter(self->member);
  ghcomp_share_construct(self, slot, reductions, NULL);
}
