/* Children that compute numbers, and what became of those that did not: they hung, or died.  */
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct child {
  pid_t process;
  int from; /* a pipe, which ends when the child does */
};

/* With this status a child says that something came out wrong.  */
enum { CHILD_WRONG = 3 };

/* A child that calls run(values, argument), hands over `count` values and ends without exit handlers.  */
struct child child_start(void (*run)(double *values, void *argument), size_t count, void *argument);

/* NULL: the child handed over its values.  Else what it did; one that has not ended after limit_s is killed.
   The text is good until the next call.  */
const char *child_finish(struct child child, double *values, size_t count, long limit_s);
