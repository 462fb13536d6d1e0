/* Regions whose times C measures itself: the Haskell thread that called them may have to wait for a collection afterwards.  */
#pragma once

/* A function of a step's number, used in place of the number.  */
typedef double (*collections_value)(long);

/* `count` regions of `iterations` iterations of `steps` steps each.  Writes the nanoseconds of each region to `times`.  Every
   eighth iteration calls `value`, if there is one.  Returns the last region's sum, or -1 if two sums differ.  */
double collections_regions(long count, long iterations, long steps, collections_value value, double *times);

/* One iteration, about 12 us if `steps` is 10000.  */
double collections_iteration(long i, long steps);

/* The sum of all iterations, computed by the calling thread.  */
double collections_alone(long iterations, long steps);

/* Computes for that many nanoseconds.  */
void collections_compute(double nanoseconds);

/* Ends the runtime's threads until the next region; returns 0 on success.  */
long collections_end_threads(void);

/* How many system threads the process has; 0 if /proc cannot tell.  */
long collections_os_threads(void);
