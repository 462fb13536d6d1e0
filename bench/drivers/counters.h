/* What the kernel counts for the whole system, at one moment.  A guest has nothing else to do, so there the counts between two
   moments are those of the program.  */
#ifndef GHCOMP_BENCH_COUNTERS_H
#define GHCOMP_BENCH_COUNTERS_H

enum { MOST_COUNTERS = 24 };

struct counters {
  long long value[MOST_COUNTERS]; /* -1: the kernel does not say */
};

/* Takes a millisecond and calls of the kernel: what a phase takes is not its time then.  */
void counters_read(struct counters *c);

/* Prints "cost PHASE.NAME NUMBER" for each count between two moments.  */
void counters_print(const char *phase, const struct counters *before, const struct counters *after);

#endif
