/* Eight places in the program that call omp_get_max_threads.  The compiler neither merges these functions nor jumps from them
   into the question, so each is a return address of its own, as in a library of its own.  */
#ifndef GHCOMP_BENCH_PLACES_THAT_ASK_H
#define GHCOMP_BENCH_PLACES_THAT_ASK_H

#include <omp.h>

#define PLACE(number)                                    \
  static __attribute__((noinline)) int ask##number(void) \
  {                                                      \
    int size = omp_get_max_threads();                    \
    __asm__ volatile("# place " #number : "+r"(size));   \
    return size;                                         \
  }
PLACE(0)
PLACE(1)
PLACE(2)
PLACE(3)
PLACE(4)
PLACE(5)
PLACE(6)
PLACE(7)

enum { PLACES = 8 };
static int (*const asks[PLACES])(void) = {ask0, ask1, ask2, ask3, ask4, ask5, ask6, ask7};

#endif
