/* What the calling thread knows of itself.  It has a file of its own, because the models run several
   callers in one thread.  */
#include "wait/waiter.h"

_Thread_local struct waiter *ghcomp_waiter_self;
_Thread_local struct thread *ghcomp_self_pointer;
_Thread_local unsigned ghcomp_self_number;
const struct crew_kind *ghcomp_crew_kind;
