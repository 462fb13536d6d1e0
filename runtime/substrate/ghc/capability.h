/* Which Capability a thread belongs to, in a C program.  */
#ifndef GHCOMP_SUBSTRATE_GHC_CAPABILITY_H
#define GHCOMP_SUBSTRATE_GHC_CAPABILITY_H

#include <stddef.h>

/* Called once, when the RTS is up.  */
void ghcomp_capability_open(unsigned count);

/* How many there are; 0 before ghcomp_capability_open.  */
unsigned ghcomp_capability_count(void);

/* See `belong` and `spawn` in substrate.h.  */
void ghcomp_capability_belong(unsigned number);
int ghcomp_capability_spawn(void *(*body)(void *), void *argument, size_t stack_size, int avoid);

#endif
