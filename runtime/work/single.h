/* single and copyprivate.  Spec: 5.2, 11.1, 5.7.2.  */
#ifndef GHCOMP_WORK_SINGLE_H
#define GHCOMP_WORK_SINGLE_H

#include "work/types.h"

struct member;

/* True for one member of the team.
   Cost: a look at a shared line, and one swap for those that find it free.  */
bool ghcomp_single_claim(struct member *member);

/* copyprivate: NULL for that member; the others wait for its data.  */
void *ghcomp_single_claim_or_wait(struct member *member);
void ghcomp_single_publish(struct member *member, void *data);

#endif
