/* ordered(n), depend(sink, source).  Spec: 5.2, 15.9.6, 15.10.  */
#include "abi/kmp/kmp.h"
#include "work/slots.h"

ENTRY_POINTS(kmp_doacross);

EXPORT void __kmpc_doacross_init(struct kmp_ident *where, int32_t gtid, int32_t dimensions, const struct span *spans)
{
  (void)where, (void)gtid;
  ghcomp_across_begin(ghcomp_self()->member, (unsigned)dimensions, spans);
}

EXPORT void __kmpc_doacross_wait(struct kmp_ident *where, int32_t gtid, const int64_t *at)
{
  (void)where, (void)gtid;
  ghcomp_across_wait(ghcomp_self()->member, at);
}

EXPORT void __kmpc_doacross_post(struct kmp_ident *where, int32_t gtid, const int64_t *at)
{
  (void)where, (void)gtid;
  ghcomp_across_post(ghcomp_self()->member, at);
}

EXPORT void __kmpc_doacross_fini(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
}
