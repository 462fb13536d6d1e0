/* The types of the border.  omp_* prototypes come from the compiler's own
   <omp.h>, so that a difference stops the build; GOMP_* have no header: the
   compiler knows them as built-in functions (gcc/omp-builtins.def), and their
   definitions in this folder are the prototypes.  */
#ifndef GHCOMP_ABI_ABI_H
#define GHCOMP_ABI_ABI_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Once in each file.  In the Haskell package the files are members of an archive, of
   which a linker takes those that define a name that is asked for, and libgomp may
   have answered to GOMP_* before; to this name it does not.  So an executable with
   the package has all entry points, which then come before any library's.  */
#define ENTRY_POINTS(file)                                                             \
  extern const char ghcomp_entry_points_##file;                                        \
  const char ghcomp_entry_points_##file = 0

#endif
