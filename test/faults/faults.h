/* Faults by chance: what the two files of the faults build share.  */
#ifndef GHCOMP_TEST_FAULTS_H
#define GHCOMP_TEST_FAULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fault {
  FAULT_MEMORY, /* an allocation fails */
  FAULT_THREAD, /* a thread cannot be created */
  FAULT_SYSTEM, /* another call of the system fails */
  FAULT_EARLY,  /* a call returns before it has done everything */
  FAULT_DELAY,  /* the thread is held up */
  FAULTS
};

/* Whether one of this kind happens now; of those that do, one in `rarer` is left.  */
bool ghcomp_faults_strike(enum fault kind, unsigned rarer);

uint64_t ghcomp_faults_random(void); /* of the calling thread's own sequence */

/* GHCOMP_FAULTS has a report: blocks are counted (blocks.c).  */
bool ghcomp_faults_count_blocks(void);

/* How many blocks were never given back and cannot be reached from this library's
   variables, from the threads' descriptors or from the caller's stack; the first few
   are said on `report`.  `all`: how many were never given back.  */
unsigned ghcomp_faults_lost_blocks(int report, unsigned *all);

void ghcomp_faults_block_made(void *block, size_t size, void *by, void *before);
void ghcomp_faults_block_gone(void *block);
void ghcomp_faults_block_root(const void *pointer);

#endif
