#include "keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set_word(const struct key *key, const char *text)
{
  for (long i = 0; key->words[i] != NULL; i++)
    if (strcmp(key->words[i], text) == 0) {
      *key->value = i;
      return true;
    }
  return false;
}

static bool set_number(const struct key *key, const char *text)
{
  char *rest;
  *key->value = strtol(text, &rest, 10);
  return *rest == '\0' && rest != text && *key->value >= 0;
}

static bool set(const struct key *keys, size_t count, const char *argument)
{
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(keys[i].name);
    const char *text = argument + length + 1;
    if (strncmp(argument, keys[i].name, length) != 0 || argument[length] != '=')
      continue;
    return keys[i].words != NULL ? set_word(&keys[i], text) : set_number(&keys[i], text);
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
  for (size_t i = 0; i < count; i++) {
    fprintf(stderr, " %s", keys[i].name);
    for (long w = 0; keys[i].words != NULL && keys[i].words[w] != NULL; w++)
      fprintf(stderr, "%c%s", w == 0 ? '=' : '|', keys[i].words[w]);
  }
  fputc('\n', stderr);
  return false;
}
