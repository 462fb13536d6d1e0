/* A detached OS thread, the same for all substrates.  */
#ifndef GHCOMP_THREADS_SPAWN_H
#define GHCOMP_THREADS_SPAWN_H

#include <stddef.h>

/* See `spawn` in substrate.h.  */
int ghcomp_spawn_thread(void *(*body)(void *), void *argument, size_t stack_size, int avoid);

#endif
