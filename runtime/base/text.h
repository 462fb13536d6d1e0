/* Text that is written piece by piece into a buffer of a given size.  As with snprintf, text that
   does not fit is counted and left out.  A buffer of size 0 only measures.  */
#ifndef GHCOMP_BASE_TEXT_H
#define GHCOMP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
  char *buffer; /* NUL-terminated after each call, if size is not 0 */
  size_t size;
  size_t length; /* of the whole text */
};

void ghcomp_text_put(struct text *text, const char *bytes, size_t count);
void ghcomp_text_repeat(struct text *text, char c, size_t times);
void ghcomp_text_print(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ----------------------------------------------------------- texts to values */

/* Texts of environment variables to values.  All functions are pure, and accept surrounding blanks
   and any letter case.  False: the text is not what the function expects, and *out is
   unchanged.  */

/* An integer within [least, most], with no other text before or after it.  */
bool ghcomp_parse_number(const char *text, unsigned long long least, unsigned long long most,
                             unsigned long long *out);

/* true, false.  */
bool ghcomp_parse_bool(const char *text, bool *out);

/* One of a list of words; *out is its index.  */
bool ghcomp_parse_word(const char *text, const char *const *words, unsigned *out);

/* A word of a longer text, `length` bytes of it, in a list that ends with a NULL name.  Returns its value, or
   -1: none of them.  */
struct word_value {
  const char *name;
  int value;
};
int ghcomp_parse_word_value(const struct word_value *words, const char *text, size_t length);

/* A size with an optional B, K, M or G (powers of 1024); without a letter K is assumed.  Fits in
   size_t.  */
bool ghcomp_parse_size(const char *text, unsigned long long *out);

/* A number with an optional k, M, G or T (powers of 1000, as for spin counts); infinite or
   infinity: ULLONG_MAX.  */
bool ghcomp_parse_count(const char *text, unsigned long long *out);

/* The number of elements of a comma-separated list, including empty ones; at least 1.  */
size_t ghcomp_parse_length(const char *text);

/* A comma-separated list: calls item(state, i, element) for each element.  The parse ends when item
   returns false, or an element is empty.  */
bool ghcomp_parse_list(const char *text, bool (*item)(void *state, size_t i, const char *text),
                           void *state);

/* The text in a form for a message of one line: characters that cannot be printed become '?', and a
   long text ends in "...".  Returns `shown`.  */
#define GHCOMP_SHOWN_VALUE 164
const char *ghcomp_parse_printable(const char *text, char shown[static GHCOMP_SHOWN_VALUE]);

#endif
