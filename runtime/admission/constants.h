/* The constants of turns; turns.md gives their reasons.  Only this folder uses this file.  bench/runner/variants.py builds the library
   with others.  */
#ifndef GHCOMP_ADMISSION_CONSTANTS_H
#define GHCOMP_ADMISSION_CONSTANTS_H

/* For how long a thread keeps a turn in which no region runs, in time that it computes.  After a question: as long as a library
   may prepare.  While more regions are expected: as long as a routine of LAPACK computes between two.  */
#define BETWEEN_NS 10000000u
/* After the last region: until the library has released its lock.  Also, who begins a region so soon after another one has
   ended may have waited for that lock; and who has computed for less has not spun.  */
#define LEAVES_NS 10000u
/* To pass a turn costs a wake-up of some threads, so one turn is for all calls that begin in that time, if they follow each
   other closely: the gap from a call to the next question is at most GAP_NS on average.  */
#define SERIES_NS 2000000u
#define GAP_NS 100000u
/* How long a region may last that others wait for, if it usually lasts less: some time slices of the system.  A thread that
   tries whether there is a lock may be kept from a processor for as long.  */
#define LONGEST_NS 20000000u
/* What is seen once may be chance.  So much is asked again: sightings of a lock in a row, doubts, regions' times.  What was
   wrong is tried again so many times as late, up to each RAREST-th question.  */
#define AGAIN 4u
#define RAREST 4096u

#endif
