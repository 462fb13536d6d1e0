/* The interface between a workload and a system under test.

   A workload (bench/workloads/NAME.c) defines what each worker does; a driver
   (bench/drivers/NAME) defines how workers are started.  The harness links them
   into a program:

     program WORKERS NAME=VALUE...

   which prints only "phase NAME NANOSECONDS", "result NAME VALUE" and "cost NAME NUMBER"
   lines on standard output.  Exit status: 0; 2 for bad arguments; 1 for other failures,
   with one line on standard error.  */
#ifndef GHCOMP_BENCH_HARNESS_H
#define GHCOMP_BENCH_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_WORKERS = 1024 };

/* ------------------------------------------------------- the workload defines */

struct workload {
  const char *const *parameters;            /* names, NULL at the end */
  void (*setup)(int workers);               /* not timed */
  void (*body)(int worker, int workers);    /* the work of worker 0…workers-1 */
  void (*results)(void);                    /* calls harness_result */
};
extern const struct workload workload;

/* --------------------------------------------------------- the driver defines */

/* Executes the body on that many workers at once, and returns when all have finished.  */
void driver_run(int workers, void (*body)(int worker, int workers));

/* Called by all workers in the body.  */
void driver_barrier(void);

/* Called once by all workers in the body: each of the items 0…count-1 goes to a worker that is free.  */
void driver_items(long count, void (*item)(long number));

/* Zeroed memory that all workers see.  */
void *driver_shared(size_t size);

/* ------------------------------------------------------- the harness provides */

/* A parameter's value, from the command line.  */
long harness_parameter(const char *name);

/* A result that must be the same for every system.  */
void harness_result(const char *name, uint64_t value);

_Noreturn void harness_fail(const char *what, ...);

/* Part number `part` of `parts` of 0…count-1.  */
static inline long harness_bound(long count, int part, int parts)
{
  return (long)((__int128)count * part / parts);
}

/* A mixing function.  Source: Steele, Lea and Flood, "Fast splittable pseudorandom
   number generators", OOPSLA 2014 (the finalizer of SplitMix64).  */
static inline uint64_t harness_mix(uint64_t x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

#endif
