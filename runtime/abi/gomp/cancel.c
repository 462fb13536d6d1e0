/* cancel and cancellation point.  Spec: 5.2, 11.2, 11.3.  */
#include "team/team.h"

#include "abi/border.h"

ENTRY_POINTS(gomp_cancel);

EXPORT bool GOMP_cancel(int which, bool do_cancel)
{
  struct thread *self = ghcomp_self();
  return do_cancel ? ghcomp_cancel_activate(self, which) : ghcomp_cancel_check(self, which);
}

EXPORT bool GOMP_cancellation_point(int which)
{
  return ghcomp_cancel_check(ghcomp_self(), which);
}
