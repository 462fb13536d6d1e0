/* Texts of environment variables to values.  All functions are pure, accept
   surrounding blanks and any letter case, and return false for a text that is
   not what they expect; *out is then unchanged.  */
#ifndef GHCOMP_CORE_ENV_PARSE_H
#define GHCOMP_CORE_ENV_PARSE_H

#include <stdbool.h>
#include <stddef.h>

/* An integer within [least, most], nothing before or behind.  */
bool ghcomp_env_parse_number(const char *text, unsigned long long least, unsigned long long most,
                             unsigned long long *out);

/* true, false.  */
bool ghcomp_env_parse_bool(const char *text, bool *out);

/* One of a list of words; *out is its index.  */
bool ghcomp_env_parse_word(const char *text, const char *const *words, unsigned *out);

/* A size with an optional B, K, M, G or T; without one, units of `unit`.  */
bool ghcomp_env_parse_size(const char *text, unsigned long long unit, unsigned long long *out);

/* A number with an optional k, M, G or T (powers of 1000, as spin counts
   have), or infinite, infinity: ULLONG_MAX.  */
bool ghcomp_env_parse_count(const char *text, unsigned long long *out);

/* A comma-separated list: item(i, text) is called for each element (blanks
   trimmed, NUL-terminated); false from it, an empty element or more than
   `most` end the parse.  *length gets the number.  */
bool ghcomp_env_parse_list(const char *text, unsigned most,
                           bool (*item)(void *state, unsigned i, const char *text), void *state,
                           unsigned *length);

#endif
