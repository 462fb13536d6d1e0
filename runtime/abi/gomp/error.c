/* The error directive.  Spec: 5.2, 8.5.  */
#include "abi/border.h"
#include "base/message.h"

#include <string.h>

ENTRY_POINTS(gomp_error);

/* `length` is SIZE_MAX for a terminated string; message NULL: none given.  */
static int length_of(const char *message, size_t length)
{
  return (int)(length == SIZE_MAX ? strlen(message) : length);
}

EXPORT void GOMP_warning(const char *message, size_t length)
{
  if (message != NULL)
    ghcomp_message_say("error directive encountered: %.*s", length_of(message, length), message);
  else
    ghcomp_message_say("error directive encountered");
}

EXPORT _Noreturn void GOMP_error(const char *message, size_t length)
{
  if (message != NULL)
    ghcomp_message_fatal("fatal error: error directive encountered: %.*s",
                         length_of(message, length), message);
  ghcomp_message_fatal("fatal error: error directive encountered");
}
