/* Bounded text; see text.h.  */
#include "base/text.h"

#include "base/memory.h"
#include "machine/process.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How many more bytes fit, not counting the NUL.  */
static size_t room(const struct text *text)
{
  return text->length + 1 < text->size ? text->size - text->length - 1 : 0;
}

static void terminate(struct text *text)
{
  if (text->size != 0)
    text->buffer[text->length < text->size ? text->length : text->size - 1] = '\0';
}

void ghcomp_text_put(struct text *text, const char *bytes, size_t count)
{
  size_t copied = count < room(text) ? count : room(text);
  if (copied != 0)
    memcpy(text->buffer + text->length, bytes, copied);
  text->length += count;
  terminate(text);
}

void ghcomp_text_repeat(struct text *text, char c, size_t times)
{
  size_t filled = times < room(text) ? times : room(text);
  if (filled != 0)
    memset(text->buffer + text->length, c, filled);
  text->length += times;
  terminate(text);
}

void ghcomp_text_print(struct text *text, const char *format, ...)
{
  char *at = room(text) != 0 ? text->buffer + text->length : NULL;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(at, at != NULL ? room(text) + 1 : 0, format, arguments);
  va_end(arguments);
  if (length > 0)
    text->length += (size_t)length;
  terminate(text);
}

/* ----------------------------------------------------------- texts to values */

/* Parsers of environment values.  */

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

/* Accepts digits only: strtoull alone would accept signs and wrap negative numbers.  */
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

bool ghcomp_parse_number(const char *text, unsigned long long least, unsigned long long most,
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

bool ghcomp_parse_word(const char *text, const char *const *words, unsigned *out)
{
  for (unsigned i = 0; words[i] != NULL; i++)
    if (is_word(text, words[i])) {
      *out = i;
      return true;
    }
  return false;
}

int ghcomp_parse_word_value(const struct word_value *words, const char *text, size_t length)
{
  for (; words->name != NULL; words++)
    if (strlen(words->name) == length && strncasecmp(words->name, text, length) == 0)
      return words->value;
  return -1;
}

bool ghcomp_parse_bool(const char *text, bool *out)
{
  static const char *const words[] = {"false", "true", NULL};
  unsigned which;
  if (!ghcomp_parse_word(text, words, &which))
    return false;
  *out = which == 1;
  return true;
}

/* Returns the next character that is not blank, in lower case, and steps over it.  */
static int next_letter(const char **text)
{
  const char *p = skip_blanks(*text);
  int c = tolower((unsigned char)*p);
  if (c != '\0')
    p++;
  *text = p;
  return c;
}

/* value * base^power, unless that is too large.  */
static bool scale(unsigned long long *value, unsigned long long base, unsigned power)
{
  for (; power > 0; power--)
    if (__builtin_mul_overflow(*value, base, value))
      return false;
  return true;
}

/* A number followed by one of `letters`, which stand for base^0, base^1 and so on; without a letter
   `assumed` counts.  */
static bool scaled(const char *text, const char *letters, char assumed, unsigned long long base,
                   unsigned long long *out)
{
  unsigned long long value;
  if (!digits(&text, &value))
    return false;
  int letter = is_end(text) ? assumed : next_letter(&text);
  const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
  if (found == NULL || !is_end(text) || !scale(&value, base, (unsigned)(found - letters)))
    return false;
  *out = value;
  return true;
}

bool ghcomp_parse_size(const char *text, unsigned long long *out)
{
  unsigned long long value;
  if (!scaled(text, "bkmg", 'k', 1024, &value) || value > SIZE_MAX)
    return false;
  *out = value;
  return true;
}

bool ghcomp_parse_count(const char *text, unsigned long long *out)
{
  if (is_word(text, "infinite") || is_word(text, "infinity")) {
    *out = ULLONG_MAX;
    return true;
  }
  /* The digit 0 stands for "no letter", because no number is followed by a digit.  */
  return scaled(text, "0kmgt", '0', 1000, out);
}

size_t ghcomp_parse_length(const char *text)
{
  size_t length = 1;
  for (; *text != '\0'; text++)
    length += *text == ',';
  return length;
}

bool ghcomp_parse_list(const char *text, bool (*item)(void *, size_t, const char *),
                           void *state)
{
  char *copy = ghcomp_memory_copy_text(text), *rest = copy, *element;
  size_t i = 0;
  bool ok = true;
  while (ok && (element = strsep(&rest, ",")) != NULL)
    ok = !is_end(element) && item(state, i++, element);
  ghcomp_memory_release(copy);
  return ok;
}

const char *ghcomp_parse_printable(const char *text, char shown[static GHCOMP_SHOWN_VALUE])
{
  size_t i;
  for (i = 0; text[i] != '\0' && i < GHCOMP_SHOWN_VALUE - 4; i++)
    shown[i] = text[i];
  ghcomp_machine_make_printable(shown, i);
  strcpy(shown + i, text[i] != '\0' ? "..." : "");
  return shown;
}
