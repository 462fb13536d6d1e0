/* The runtime's messages.  One write per message keeps lines of several
   threads apart; only what a signal cut off takes another.  */
#include "base/message.h"

#include "base/atomics.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_all(const char *bytes, size_t size)
{
  while (size > 0) {
    ssize_t written = write(STDERR_FILENO, bytes, size);
    if (written > 0) {
      bytes += written;
      size -= (size_t)written;
    } else if (written == 0 || errno != EINTR) {
      return; /* there is nowhere left to say it */
    }
  }
}

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
  write_all(line, (size_t)n);
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
    sched_yield();
  exit(EXIT_FAILURE);
}

_Noreturn void ghcomp_message_check_failed(const char *what, const char *file, int line)
{
  ghcomp_message_say("internal check failed: %s (%s:%d)", what, file, line);
  abort();
}

/* --------------------------------------------------- after the program's end */

enum { LEAST_NUMBER = 200 };

static int own = -1;
static struct stat first;

void ghcomp_last_words_prepare(void)
{
  if (fstat(STDERR_FILENO, &first) == 0)
    own = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, LEAST_NUMBER);
}

/* The program may have closed ours too, and opened a file that got its number.  */
int ghcomp_last_words_descriptor(void)
{
  struct stat now;
  if (fcntl(STDERR_FILENO, F_GETFD) >= 0)
    return STDERR_FILENO;
  bool is_ours = own >= 0 && fstat(own, &now) == 0 && now.st_dev == first.st_dev &&
                 now.st_ino == first.st_ino;
  return is_ours ? own : -1;
}
