/* Cancellation.  Spec: 5.2, 11.2, 11.3.  */
#ifndef GHCOMP_TEAM_CANCEL_H
#define GHCOMP_TEAM_CANCEL_H

#include "team/types.h"

/* The compiler's bits.  */
enum { CANCEL_PARALLEL = 1, CANCEL_LOOP = 2, CANCEL_SECTIONS = 4, CANCEL_TASKGROUP = 8 };

/* Cancels the innermost construct of the kind; true when it is cancelled.  */
bool ghcomp_cancel_activate(struct thread *self, int which);

/* Has somebody cancelled it?  */
bool ghcomp_cancel_check(struct thread *self, int which);

#endif
