/* Is this process a Haskell program?  */
#ifndef GHCOMP_SUBSTRATE_HOST_H
#define GHCOMP_SUBSTRATE_HOST_H

#include <stdbool.h>
#include <stdint.h>

enum host_kind {
  HOST_C,                /* no Haskell RTS runs here */
  HOST_HASKELL_THREADED, /* one does, with -threaded */
  HOST_HASKELL_SINGLE,   /* one does, without */
  HOST_HASKELL_UNKNOWN,  /* a Haskell executable whose RTS is out of sight or not up yet */
};

/* Looked up once; cheap afterwards.  */
enum host_kind ghcomp_host_kind(void);

/* Capabilities that the host's RTS uses now; 0 unless threaded.  */
unsigned ghcomp_host_capabilities(void);

#endif
