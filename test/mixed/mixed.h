/* Each test of this folder is one file that is compiled three times: by each compiler as a side, whose functions are
   named gcc_NAME or clang_NAME, and with MAIN as the program.  A side calls the other by OTHER(NAME).  */
#ifndef MIXED_H
#define MIXED_H

#include <omp.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __clang__
#define SIDE(name) clang_##name
#define OTHER(name) gcc_##name
#else
#define SIDE(name) gcc_##name
#define OTHER(name) clang_##name
#endif

#define BOTH(result, name, ...) result gcc_##name(__VA_ARGS__); result clang_##name(__VA_ARGS__)

/* Failures are printed and counted; main returns the count.  */
extern int mixed_wrong;
static inline void check(bool holds, const char *what, int line)
{
  if (holds)
    return;
  printf("%s: line %d: expected %s\n",
#ifdef MAIN
         "main",
#elif defined __clang__
         "clang's side",
#else
         "gcc's side",
#endif
         line, what);
  __atomic_fetch_add(&mixed_wrong, 1, __ATOMIC_RELAXED);
}
#define CHECK(condition) check((condition), #condition, __LINE__)

#ifdef MAIN
int mixed_wrong;
#endif

#endif
