/* Which OpenMP runtime a program would load if it started now.  */
#ifndef APP_LINKS_H
#define APP_LINKS_H

#include <limits.h>
#include <stdbool.h>

struct links {
  /* GCC's, LLVM's or Intel's, by whatever name wheels bring it; "" for none.  */
  char runtime[PATH_MAX];
  char other[PATH_MAX]; /* another file that is one; or "" */
  bool loads_libraries; /* has the library of a language that loads others */
};

/* Asks the program's own dynamic linker, in the present environment.  Executes nothing of the
   program.  False: the linker gives no answer.  */
bool links_find(const char *linker, const char *program, struct links *links);

#endif
