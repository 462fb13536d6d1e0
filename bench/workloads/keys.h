/* Settings on a workload's command line: KEY=NUMBER each, or KEY=WORD.  */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct key {
  const char *name;
  long *value;
  const char *const *words; /* NULL: a number; otherwise the words that it may be, then NULL: the value is a word's place, from 0 on */
};

/* False, after a message: an argument after the first has none of these keys, or a wrong value, or the first one is no number of
   workers.  */
bool keys_read(const struct key *keys, size_t count, int argc, char **argv, long *workers);
