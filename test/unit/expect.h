/* Expectations of unit tests: one that fails is reported and counted, and the test continues.  main
   ends with `return expect_result();`.  */
#ifndef GHCOMP_TEST_EXPECT_H
#define GHCOMP_TEST_EXPECT_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static unsigned expect_failures;

static inline bool expect(bool holds, const char *what, const char *file, int line)
{
  if (!holds) {
    expect_failures++;
    printf("%s:%d: expected %s\n", file, line, what);
  }
  return holds;
}

static inline bool expect_number(long long is, long long expected, const char *what,
                                 const char *file, int line)
{
  if (is == expected)
    return true;
  expect_failures++;
  printf("%s:%d: %s is %lld, expected %lld\n", file, line, what, is, expected);
  return false;
}

static inline bool expect_text(const char *is, const char *expected, const char *what,
                               const char *file, int line)
{
  if (strcmp(is, expected) == 0)
    return true;
  expect_failures++;
  printf("%s:%d: %s is '%s', expected '%s'\n", file, line, what, is, expected);
  return false;
}

#define EXPECT(condition) expect((condition), #condition, __FILE__, __LINE__)
#define EXPECT_NUMBER(is, expected) expect_number((is), (expected), #is, __FILE__, __LINE__)
#define EXPECT_TEXT(is, expected) expect_text((is), (expected), #is, __FILE__, __LINE__)

static inline int expect_result(void)
{
  if (expect_failures != 0)
    printf("%u expectations failed\n", expect_failures);
  return expect_failures != 0;
}

#endif
