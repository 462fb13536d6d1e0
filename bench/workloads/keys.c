#include "keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set(const struct key *keys, size_t count, const char *argument)
{
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(keys[i].name);
    const char *text = argument + length + 1;
    if (strncmp(argument, keys[i].name, length) != 0 || argument[length] != '=')
      continue;
    char *rest;
    *keys[i].value = strtol(text, &rest, 10);
    return *rest == '\0' && rest != text && *keys[i].value >= 0;
  }
  return false;
}

bool keys_read(const struct key *keys, size_t count, int argc, char **argv, long *workers)
{
  *workers = argc > 1 ? atol(argv[1]) : 0;
  bool right = *workers >= 1;
  for (int i = 2; i < argc; i++)
    right = right && set(keys, count, argv[i]);
  if (right)
    return true;
  fprintf(stderr, "usage: %s WORKERS [KEY=NUMBER]...     with keys", argv[0]);
  for (size_t i = 0; i < count; i++)
    fprintf(stderr, " %s", keys[i].name);
  fputc('\n', stderr);
  return false;
}
