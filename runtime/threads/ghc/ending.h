/* The end of a process whose first thread has called pthread_exit.  */
#ifndef GHCOMP_THREADS_GHC_ENDING_H
#define GHCOMP_THREADS_GHC_ENDING_H

/* See first_thread_ends in substrate.h.  */
void ghcomp_ending_watch(void);

#endif
