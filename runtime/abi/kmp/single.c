/* single, copyprivate, master and masked.  Spec: 5.2, 10.5, 11.1.  */
#include "abi/kmp/kmp.h"
#include "team/team.h"
#include "work/slots.h"

ENTRY_POINTS(kmp_single);

EXPORT int32_t __kmpc_single(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  return ghcomp_single_claim_to_copy(ghcomp_self()->member);
}

EXPORT void __kmpc_end_single(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}

/* Follows a single that `did` says this member has had.  The others wait for its data and need not wait for
   each other before they copy; the barrier afterwards keeps the data where it is until all have.  */
EXPORT void __kmpc_copyprivate(struct kmp_ident *where, int32_t gtid, size_t size, void *data,
                               void (*copy)(void *to, void *from), int32_t did)
{
  (void)where, (void)gtid, (void)size;
  struct thread *self = ghcomp_self();
  if (self->member->team->size == 1)
    return;
  if (did)
    ghcomp_single_publish(self->member, data);
  else
    copy(data, ghcomp_single_wait(self->member));
  ghcomp_barrier_wait(self);
}

/* The form of flang: it copies itself, and has the barrier afterwards.  data: not NULL for the member that had
   the single.  */
EXPORT void *__kmpc_copyprivate_light(struct kmp_ident *where, int32_t gtid, void *data)
{
  (void)where, (void)gtid;
  struct member *member = ghcomp_self()->member;
  if (member->team->size == 1)
    return data;
  if (data == NULL)
    return ghcomp_single_wait(member);
  ghcomp_single_publish(member, data);
  return data;
}

/* -------------------------------------------------------------- master, masked */

EXPORT int32_t __kmpc_master(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  return ghcomp_self()->member->number == 0;
}

EXPORT void __kmpc_end_master(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}

EXPORT int32_t __kmpc_masked(struct kmp_ident *where, int32_t gtid, int32_t filter)
{
  (void)where, (void)gtid;
  return ghcomp_self()->member->number == (unsigned)filter;
}

EXPORT void __kmpc_end_masked(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}
