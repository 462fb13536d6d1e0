/* The runtime's messages.  Each message is one write, so lines of several threads do not mix.  */
#include "base/message.h"

#include "base/atomics.h"
#include "machine/process.h"
#include "machine/processors.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

bool ghcomp_message_like_llvm;

enum { LINE = 1024 };

/* The line has n bytes already.  */
static void put_behind(char line[LINE], int n, const char *format, va_list arguments)
{
  int m = vsnprintf(line + n, LINE - (size_t)n - 1, format, arguments);
  if (m > 0)
    n += m;
  if (n > LINE - 2)
    n = LINE - 2;
  ghcomp_machine_make_printable(line, (size_t)n); /* some texts come from files and variables that others may have made */
  line[n++] = '\n';
  ghcomp_machine_write_error(line, (size_t)n);
}

static void put(const char *kind, const char *format, va_list arguments)
{
  char line[LINE];
  int n = ghcomp_message_like_llvm ? snprintf(line, sizeof line, "OMP: %s #1: ghcomp: ", kind)
                                   : snprintf(line, sizeof line, "ghcomp: ");
  put_behind(line, n, format, arguments);
}

void ghcomp_message_inform(int number, const char *format, ...)
{
  char line[LINE];
  va_list arguments;
  va_start(arguments, format);
  put_behind(line, snprintf(line, sizeof line, "OMP: Info #%d: ", number), format, arguments);
  va_end(arguments);
}

void ghcomp_message_say(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  put("Warning", format, arguments);
  va_end(arguments);
}

/* If several threads fail at the same time, only one writes its message.  */
_Noreturn void ghcomp_message_fatal(const char *format, ...)
{
  static _Atomic int said; /* 1: a thread is writing, 2: it has written */
  int expected = 0;
  if (cas_relaxed(&said, &expected, 1)) {
    va_list arguments;
    va_start(arguments, format);
    put("Error", format, arguments);
    va_end(arguments);
    store_relaxed(&said, 2); /* relaxed: the loop below only waits for it */
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
