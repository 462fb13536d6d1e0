/* Which OpenMP runtime a program would load if it started now.  */
#ifndef APP_LINKS_H
#define APP_LINKS_H

#include <limits.h>
#include <stdbool.h>

struct links {
  char gomp[PATH_MAX];  /* the libgomp.so.1 that it would load; "": none */
  char copy[PATH_MAX];  /* a libgomp under another name, as in wheels; "": none */
  bool llvm;            /* libomp or libiomp5 */
  bool loads_libraries; /* has the library of a language that loads further libraries */
};

/* Asks the program's own dynamic linker, in the present environment.  Executes nothing of the
   program.  False: the linker gives no answer.  */
bool links_find(const char *linker, const char *program, struct links *links);

#endif
