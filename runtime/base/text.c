/* Bounded text; see text.h.  */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* How many more bytes fit, beside the NUL.  */
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
