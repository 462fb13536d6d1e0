/* sections, in the form that hands them out one by one (Intel's compilers; clang's are a static loop).
   Spec: 5.2, 11.3.  */
#include "abi/kmp/kmp.h"
#include "work/schedule.h"

ENTRY_POINTS(kmp_sections);

/* Their number comes later.  0: the only member executes them all and does not ask.  */
EXPORT int32_t __kmpc_sections_init(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  struct member *member = ghcomp_self()->member;
  if (member->team->size == 1)
    return 0;
  struct loop loop = {.kind = LOOP_STATIC};
  ghcomp_schedule_begin(member, &loop);
  return 1;
}

/* 0 … count - 1, or count: there is none left.  */
EXPORT int32_t __kmpc_next_section(struct kmp_ident *where, int32_t gtid, int32_t count)
{
  (void)where, (void)gtid;
  struct member *member = ghcomp_self()->member;
  member->work.loop.sections = count > 0 ? (uint64_t)count : 0;
  unsigned section = ghcomp_sections_next(member);
  return section != 0 ? (int32_t)section - 1 : count;
}

EXPORT void __kmpc_end_sections(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}
