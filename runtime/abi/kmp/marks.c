/* The error directive, and calls that only mark a place.  Spec: 5.2, 8.5, 11.2.  */
#include "abi/kmp/kmp.h"
#include "base/message.h"

ENTRY_POINTS(kmp_marks);

enum { SEVERITY_WARNING = 1, SEVERITY_FATAL = 2 };

EXPORT void __kmpc_error(struct kmp_ident *where, int32_t severity, const char *message)
{
  (void)where;
  const char *colon = message != NULL ? ": " : "", *text = message != NULL ? message : "";
  if (severity == SEVERITY_FATAL)
    ghcomp_message_fatal("fatal error: error directive encountered%s%s", colon, text);
  ghcomp_message_say("error directive encountered%s%s", colon, text);
}

/* Its barrier and its reductions are calls of their own.  */
EXPORT void __kmpc_scope(struct kmp_ident *where, int32_t gtid, void *reserved)
{
  (void)where, (void)gtid, (void)reserved;
}

EXPORT void __kmpc_end_scope(struct kmp_ident *where, int32_t gtid, void *reserved)
{
  (void)where, (void)gtid, (void)reserved;
}
