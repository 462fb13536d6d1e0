/* Which Capability a thread belongs to, in a C program.  */
#ifndef GHCOMP_THREADS_GHC_CAPABILITY_H
#define GHCOMP_THREADS_GHC_CAPABILITY_H

/* Called once, when the RTS is up.  */
void ghcomp_capability_open(unsigned count);

/* How many there are; 0 before ghcomp_capability_open.  */
unsigned ghcomp_capability_count(void);

/* See `belong` in substrate.h.  */
void ghcomp_capability_belong(unsigned number);

#endif
