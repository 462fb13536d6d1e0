/* Events of detached tasks.  */
#ifndef GHCOMP_TEAM_EVENT_H
#define GHCOMP_TEAM_EVENT_H

struct task;

/* omp_fulfill_event.  Any thread may call it, one of no team too.  */
void ghcomp_event_fulfill(struct task *task);

#endif
