/* Settings on a workload's command line, KEY=NUMBER each.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct key {
  const char *name;
  long *value;
};

/* False, after a message: an argument after the first has none of these keys, or the first one is no number of workers.  */
bool keys_read(const struct key *keys, size_t count, int argc, char **argv, long *workers);
