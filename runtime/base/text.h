/* Text that is written piece by piece into a buffer of a given size, like
   snprintf: what does not fit is counted and left out.  A buffer of size 0
   measures.  */
#ifndef GHCOMP_BASE_TEXT_H
#define GHCOMP_BASE_TEXT_H

#include <stddef.h>

struct text {
  char *buffer; /* NUL-terminated after each call, where size is not 0 */
  size_t size;
  size_t length; /* of the whole text */
};

void ghcomp_text_put(struct text *text, const char *bytes, size_t count);
void ghcomp_text_repeat(struct text *text, char c, size_t times);
void ghcomp_text_print(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
