/* Parsers of environment values.  */
#include "core/env_parse.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *skip_blanks(const char *p)
{
  while (isspace((unsigned char)*p))
    p++;
  return p;
}

static bool is_end(const char *p)
{
  return *skip_blanks(p) == '\0';
}

/* Digits only: strtoull alone would take signs and wrap negative numbers.  */
static bool digits(const char **text, unsigned long long *out)
{
  const char *p = skip_blanks(*text);
  if (*p == '+')
    p++;
  if (!isdigit((unsigned char)*p))
    return false;
  char *end;
  errno = 0;
  *out = strtoull(p, &end, 10);
  *text = end;
  return errno == 0;
}

bool ghcomp_env_parse_number(const char *text, unsigned long long least, unsigned long long most,
                             unsigned long long *out)
{
  unsigned long long value;
  if (!digits(&text, &value) || !is_end(text) || value < least || value > most)
    return false;
  *out = value;
  return true;
}

/* Does the trimmed text equal the word?  */
static bool is_word(const char *text, const char *word)
{
  text = skip_blanks(text);
  size_t length = strlen(word);
  return strncasecmp(text, word, length) == 0 && is_end(text + length);
}

bool ghcomp_env_parse_word(const char *text, const char *const *words, unsigned *out)
{
  for (unsigned i = 0; words[i] != NULL; i++)
    if (is_word(text, words[i])) {
      *out = i;
      return true;
    }
  return false;
}

bool ghcomp_env_parse_bool(const char *text, bool *out)
{
  static const char *const words[] = {"false", "true", NULL};
  unsigned which;
  if (!ghcomp_env_parse_word(text, words, &which))
    return false;
  *out = which == 1;
  return true;
}

/* A suffix letter of `letters` and how many times `base` it stands for.  */
static bool scale(const char **text, const char *letters, unsigned long long base,
                  unsigned long long *value)
{
  const char *p = skip_blanks(*text);
  const char *found = *p != '\0' ? strchr(letters, tolower((unsigned char)*p)) : NULL;
  if (found == NULL)
    return false;
  for (long i = found - letters; i > 0; i--) {
    if (*value > ULLONG_MAX / base)
      return false;
    *value *= base;
  }
  *text = p + 1;
  return true;
}

bool ghcomp_env_parse_size(const char *text, unsigned long long unit, unsigned long long *out)
{
  unsigned long long value;
  if (!digits(&text, &value))
    return false;
  if (is_end(text)) {
    if (value > SIZE_MAX / unit)
      return false;
    value *= unit;
  } else if (!scale(&text, "bkmgt", 1024, &value)) {
    return false;
  }
  if (!is_end(text) || value > SIZE_MAX / 2)
    return false;
  *out = value;
  return true;
}

bool ghcomp_env_parse_count(const char *text, unsigned long long *out)
{
  unsigned long long value;
  if (is_word(text, "infinite") || is_word(text, "infinity")) {
    *out = ULLONG_MAX;
    return true;
  }
  if (!digits(&text, &value))
    return false;
  if (!is_end(text) && (tolower((unsigned char)*skip_blanks(text)) == 'b' ||
                        !scale(&text, "bkmgt", 1000, &value)))
    return false;
  if (!is_end(text))
    return false;
  *out = value;
  return true;
}

bool ghcomp_env_parse_list(const char *text, unsigned most,
                           bool (*item)(void *, unsigned, const char *), void *state,
                           unsigned *length)
{
  char *copy = strdup(text), *rest = copy, *element;
  unsigned count = 0;
  bool ok = copy != NULL;
  while (ok && (element = strsep(&rest, ",")) != NULL)
    ok = !is_end(element) && count < most && item(state, count++, element);
  free(copy);
  if (ok)
    *length = count;
  return ok;
}
