/* Text that is written piece by piece into a buffer of a given size, like
   snprintf: what does not fit is counted and left out.  A buffer of size 0
   measures.  */
#ifndef GHCOMP_BASE_TEXT_H
#define GHCOMP_BASE_TEXT_H

#include <stdbool.h>
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

/* ----------------------------------------------------------- texts to values */

/* Texts of environment variables to values.  All functions are pure, accept
   surrounding blanks and any letter case, and return false for a text that is
   not what they expect; *out is then unchanged.  */

/* An integer within [least, most], nothing before or behind.  */
bool ghcomp_parse_number(const char *text, unsigned long long least, unsigned long long most,
                             unsigned long long *out);

/* true, false.  */
bool ghcomp_parse_bool(const char *text, bool *out);

/* One of a list of words; *out is its index.  */
bool ghcomp_parse_word(const char *text, const char *const *words, unsigned *out);

/* A size with an optional B, K, M or G (powers of 1024); K where none is given.
   Fits in size_t.  */
bool ghcomp_parse_size(const char *text, unsigned long long *out);

/* A number with an optional k, M, G or T (powers of 1000, as spin counts
   have), or infinite, infinity: ULLONG_MAX.  */
bool ghcomp_parse_count(const char *text, unsigned long long *out);

/* Elements of a comma-separated list, empty ones included; at least 1.  */
size_t ghcomp_parse_length(const char *text);

/* A comma-separated list: item(state, i, element) is called for each; the
   parse ends where that returns false, or an element is empty.  */
bool ghcomp_parse_list(const char *text, bool (*item)(void *state, size_t i, const char *text),
                           void *state);

/* The text as it may stand in a message of one line: what cannot be printed
   is '?', and a long text ends in "...".  Returns shown.  */
#define GHCOMP_SHOWN_VALUE 164
const char *ghcomp_parse_printable(const char *text, char shown[static GHCOMP_SHOWN_VALUE]);

#endif
