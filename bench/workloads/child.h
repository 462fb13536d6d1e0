/* Children that compute numbers, and what happened to those that hung or died.  */
#pragma once

#include <stddef.h>
#include <sys/types.h>

struct child {
  pid_t process;
  int from; /* a pipe, which ends with the child */
};

/* A child ends with this status if a result is wrong.  */
enum { CHILD_WRONG = 3 };

/* Starts a child that calls run(values, argument), sends `count` values and ends without exit handlers.  */
struct child child_start(void (*run)(double *values, void *argument), size_t count, void *argument);

/* NULL: the child sent its values.  Otherwise a text says what it did; a child that has not ended after limit_s is
   killed.  The text is valid until the next call.  */
const char *child_finish(struct child child, double *values, size_t count, long limit_s);
