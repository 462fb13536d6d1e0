/* Prints rows in the format that the runner reads.  */
#pragma once

#include <stdio.h>

/* Prints "name, what: number number…", or what is wrong with the row.  */
static inline void row_print(const char *name, const char *what, const double *values, long count, const char *wrong)
{
  printf("%s, %s:%s%s", name, what, wrong != NULL ? " " : "", wrong != NULL ? wrong : "");
  for (long i = 0; i < count && wrong == NULL; i++)
    printf(" %.3f", values[i]);
  printf("\n");
  fflush(stdout);
}

/* The text for a row with that many wrong results; valid until the next call.  */
static inline const char *row_wrong(long results)
{
  static char text[64];
  snprintf(text, sizeof text, "wrong, %ld results", results);
  return results != 0 ? text : NULL;
}
