/* What env.c and its parts share; the callers' interface is in icv.h.  */
#ifndef GHCOMP_CORE_ENV_H
#define GHCOMP_CORE_ENV_H

#include "core/icv.h"

/* OMP_ALLOCATOR; see env_allocator.c.  */
bool ghcomp_env_allocator_read(const char *text, uintptr_t *allocator);
void ghcomp_env_allocator_show(char *out, size_t size);

#endif
