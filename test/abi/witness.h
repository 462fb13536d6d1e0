/* What witness.c has seen.  */
#ifndef GHCOMP_TEST_WITNESS_H
#define GHCOMP_TEST_WITNESS_H

enum {
  WITNESS_TASK = 1, WITNESS_SHARED = 2, WITNESS_DESTRUCTORS = 4, WITNESS_PRIORITY = 8, WITNESS_DEPENDENCES = 16,
  WITNESS_TASKLOOP = 32, WITNESS_DUPLICATE = 64, WITNESS_REDUCTIONS = 128, WITNESS_ALL = 255
};

/* The variables of the `in` and the `inout` dependence of each task that has dependences.  */
void witness_expects(void *in, void *inout);

/* The exit status: 0 if nothing was wrong and all of these kinds have been seen.  */
int witness_ends(int kinds);

#endif
