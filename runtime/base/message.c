/* The runtime's messages.  One write per message keeps lines of several threads apart.  */
#include "base/message.h"

#include "base/atomics.h"
#include "machine/process.h"
#include "machine/processors.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

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
  ghcomp_machine_write_error(line, (size_t)n);
}

void ghcomp_message_say(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  put(format, arguments);
  va_end(arguments);
}

/* Threads that lack the same at the same time say it once.  */
_Noreturn void ghcomp_message_fatal(const char *format, ...)
{
  static _Atomic int said; /* 1: somebody begins to, 2: has done so */
  int expected = 0;
  if (cas_relaxed(&said, &expected, 1)) {
    va_list arguments;
    va_start(arguments, format);
    put(format, arguments);
    va_end(arguments);
    store_relaxed(&said, 2); /* read below, for the time only */
  }
  while (load_relaxed(&said) != 2)
    ghcomp_machine_yield();
  exit(EXIT_FAILURE);
}

_Noreturn void ghcomp_message_check_failed(const char *what, const char *file, int line)
{
  ghcomp_message_say("internal check failed: %s (%s:%d)", what, file, line);
  abort();
}
