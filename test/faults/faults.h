/* Random faults: what the two files of the faults build share.  */
#ifndef GHCOMP_TEST_FAULTS_H
#define GHCOMP_TEST_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault {
  FAULT_MEMORY, /* an allocation fails */
  FAULT_THREAD, /* a thread cannot be created */
  FAULT_SYSTEM, /* another call of the system fails */
  FAULT_EARLY,  /* a call returns before it is complete */
  FAULT_DELAY,  /* the thread is delayed */
  FAULTS
};

/* Decides at random whether a fault of this kind happens now.  `rarer` divides its rate.  */
bool ghcomp_faults_strike(enum fault kind, unsigned rarer);

uint64_t ghcomp_faults_random(void); /* the next number of the calling thread's own sequence */

/* True if GHCOMP_FAULTS names a report; blocks are counted then (blocks.c).  */
bool ghcomp_faults_count_blocks(void);

/* How many blocks were never released and cannot be reached from this library's variables, the
   threads' descriptors or the caller's stack.  The first few are written to `report`.  `all`: how
   many were never released.  */
unsigned ghcomp_faults_lost_blocks(int report, unsigned *all);

void ghcomp_faults_block_made(void *block, size_t size, void *by, void *before);
void ghcomp_faults_block_gone(void *block);
void ghcomp_faults_block_root(const void *pointer);

#endif
