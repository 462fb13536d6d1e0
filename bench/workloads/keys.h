/* Settings on a workload's command line, KEY=NUMBER each.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct key {
  const char *name;
  long *value;
};

/* False, and a message: the arguments after the first are not of these keys, or the first is no number of workers.  */
bool keys_read(const struct key *keys, size_t count, int argc, char **argv, long *workers);
