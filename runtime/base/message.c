/* The runtime's messages.  One write per message keeps lines of several
   threads apart.  */
#include "base/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put(const char *format, va_list arguments)
{
  char line[1024];
  int n = snprintf(line, sizeof line, "ghcomp: ");
  int m = vsnprintf(line + n, sizeof line - (size_t)n - 1, format, arguments);
  if (m > 0)
    n += m;
  if (n > (int)sizeof line - 2)
    n = (int)sizeof line - 2;
  line[n++] = '\n';
  if (write(STDERR_FILENO, line, (size_t)n) < 0)
    return; /* there is nowhere left to say it */
}

void ghcomp_message_say(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  put(format, arguments);
  va_end(arguments);
}

_Noreturn void ghcomp_message_fatal(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  put(format, arguments);
  va_end(arguments);
  exit(EXIT_FAILURE);
}

_Noreturn void ghcomp_message_check_failed(const char *what, const char *file, int line)
{
  ghcomp_message_say("internal check failed: %s (%s:%d)", what, file, line);
  abort();
}
