/* Regions whose times C itself takes: whoever called them from Haskell may have to wait for a collection afterwards.  */
#pragma once

/* What a step's number stands for, if it is not the number itself.  */
typedef double (*collections_value)(long);

/* `count` regions of `iterations` iterations of so many steps each.  Nanoseconds of each go to `times`; every eighth iteration
   asks `value`, where there is one.  What comes out is the last region's sum, or -1 where two of them differ.  */
double collections_regions(long count, long iterations, long steps, collections_value value, double *times);

/* One iteration, which is some 12 us where `steps` is 10000.  */
double collections_iteration(long i, long steps);

/* The sum of all of them, by the thread that calls.  */
double collections_alone(long iterations, long steps);

/* Computes for so many nanoseconds.  */
void collections_compute(double nanoseconds);

/* Ends the runtime's threads until the next region; 0 where it can.  */
long collections_end_threads(void);

/* How many threads of the system the process has; 0 where /proc does not tell.  */
long collections_os_threads(void);
