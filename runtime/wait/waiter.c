/* The calling thread's two pointers.  They have a file of their own, because the models run several
   callers in one thread.  */
#include "wait/waiter.h"

_Thread_local struct waiter *ghcomp_waiter_self;
_Thread_local struct thread *ghcomp_self_pointer;
const struct crew_kind *ghcomp_crew_kind;
