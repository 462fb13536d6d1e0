#include "machine/filter.h"

#include "machine/process.h"

#include <stdbool.h>
#include <string.h>

/* Bytes.  The lines that count are in the first thousand, but for the user's groups, up to 11 bytes each, which come before.  */
enum { STATUS = 3072 };

static bool says(const char *status, const char *line)
{
  return strstr(status, line) != NULL;
}

enum filter ghcomp_machine_filter(void)
{
  char status[STATUS];
  ghcomp_machine_read_file("/proc/thread-self/status", status, sizeof status);
  if (!says(status, "\nSeccomp:\t2"))
    return FILTER_NONE;
  return says(status, "\nNoNewPrivs:\t1") ? FILTER_OF_SANDBOX : FILTER_OF_CONTAINER;
}
