#include "wait/waiter.h"

#include "wait/crew.h"

_Thread_local struct waiter *ghcomp_waiter_self;
const struct crew_kind *ghcomp_crew_kind;
