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

#endif
