/* Which OpenMP runtime a program would load if it started now.  */
#ifndef APP_LINKS_H
#define APP_LINKS_H

#include "app/elf.h"

#include <limits.h>
#include <stdbool.h>

struct links {
  /* GCC's, LLVM's or Intel's, by whatever name wheels bring it; "" for none.  */
  char runtime[PATH_MAX];
  char other[PATH_MAX]; /* another file that is one; or "" */
  bool loads_libraries; /* has the library of a language that loads others */
};

enum links_answer {
  LINKS_FOUND,
  LINKS_INCOMPLETE, /* a library is missing */
  LINKS_NOT_ASKED,  /* to ask could execute what the file names */
};

/* Asks this command's own dynamic linker, in the present environment, about a library, or a program for that linker.  Another
   linker could be any program, and a file that is not plain can make the linker execute a part of it.  */
enum links_answer links_find(const struct elf *elf, const char *file, struct links *links);

#endif
