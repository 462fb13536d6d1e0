/* How many threads are called without one thread's doing all of it.

   To write a worker's mailbox costs a transfer, and to wake one that sleeps costs a
   system call of a microsecond or two, so that the last worker of a large team would
   begin after all the others have been called.  Here whoever has been called calls
   others: each takes the next few that nobody has taken.  Who calls whom forms a tree
   that grows as fast as threads come up, and a thread that the system keeps from running
   holds up nobody but those it has taken; in a tree that is fixed beforehand it would
   hold up all that are below it.  */
#ifndef GHCOMP_TEAM_RELAY_H
#define GHCOMP_TEAM_RELAY_H

#include "team/types.h"

/* The master's: mails to all workers of a team whose region is ready.  Returns when no
   worker is left to be taken; all have been called by the time the region is over.  */
void ghcomp_relay_assign_all(struct team *team);

/* A worker's that has got its mail, before it begins: helps.  */
void ghcomp_relay_assign_more(struct team *team);

/* Who has ended a barrier's phase: wakes all members that sleep.
   Called by: a member of the team.  */
void ghcomp_relay_wake_all(struct team *team);

/* A member's that slept until a phase ended: helps.  */
void ghcomp_relay_wake_more(struct team *team);

#endif
