/* Names of threads, as the system shows them.  The call for that (prctl) is one that a filter may refuse, and a name is not worth an
   end of the process.  So under a filter the name goes through a file, which takes ten times as long.  */
#include "machine/thread.h"

#include "base/atomics.h"
#include "machine/disturbance.h"
#include "machine/filter.h"
#include "machine/process.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define NAME "/proc/thread-self/comm"

/* The process's first worker looks.  Relaxed: others find the same.  */
static bool is_filtered(void)
{
  enum { UNKNOWN, NO, YES };
  static _Atomic int known;
  int is = load_relaxed(&known);
  if (is == UNKNOWN) {
    is = ghcomp_machine_filter() != FILTER_NONE ? YES : NO;
    store_relaxed(&known, is);
  }
  return is == YES;
}

void ghcomp_machine_get_thread_name(char name[GHCOMP_THREAD_NAME])
{
  name[0] = '\0';
  if (!is_filtered())
    prctl(PR_GET_NAME, name);
  else if (ghcomp_machine_read_line(NAME, name, GHCOMP_THREAD_NAME))
    name[strcspn(name, "\n")] = '\0';
}

static void write_name(const char *name)
{
  int saved = errno, cancellation = ghcomp_machine_hold_cancellation();
  int file = open(NAME, O_WRONLY | O_CLOEXEC);
  if (file >= 0) {
    ssize_t written = write(file, name, strlen(name));
    (void)written; /* without a name the thread works as well */
    close(file);
  }
  ghcomp_machine_let_cancellation(cancellation);
  errno = saved;
}

void ghcomp_machine_set_thread_name(const char *name)
{
  if (name[0] == '\0')
    return;
  if (is_filtered())
    write_name(name);
  else
    prctl(PR_SET_NAME, name);
}
