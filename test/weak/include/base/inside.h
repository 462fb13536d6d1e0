/* Nothing interrupts a thread of a model.  */
#ifndef GHCOMP_BASE_INSIDE_H
#define GHCOMP_BASE_INSIDE_H

#include <stdbool.h>

static inline bool ghcomp_is_inside(void)
{
  return false;
}

static inline void ghcomp_inside_begin(void)
{
}

static inline void ghcomp_inside_end(void)
{
}

#endif
