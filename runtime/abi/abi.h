/* The types of the border.  The prototypes of omp_* come from the compiler's own <omp.h>, so a
   difference stops the build.  GOMP_* have no header: the compiler has them as built-in functions
   (gcc/omp-builtins.def), and the definitions in this folder are their prototypes.  */
#ifndef GHCOMP_ABI_ABI_H
#define GHCOMP_ABI_ABI_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Once in each file.  In the Haskell package the files are members of an archive.  A linker takes
   only the members that define a missing name, and libgomp may have supplied GOMP_* before. libgomp
   does not supply this name.  So an executable with the package has all entry points, and they come
   before those of any library.  */
#define ENTRY_POINTS(file)                                                             \
  extern const char ghcomp_entry_points_##file;                                        \
  const char ghcomp_entry_points_##file = 0

#endif
