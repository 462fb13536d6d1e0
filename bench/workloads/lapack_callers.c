/* Threads call a LAPACK at the same time; each call asks once how many threads there are, and starts
   many OpenMP regions.

   usage: lapack_callers WORKERS callers=N calls=N routine=0|1|2     prints rows in milliseconds
   routine: 0 dpotrf, 1 dgesv, 2 dsyev */
#include "calls.h"
#include "keys.h"
#include "openblas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 300, CELLS = SIZE * SIZE, WORK = 64 * SIZE };

typedef void dpotrf(const char *, const int *, double *, const int *, int *);
typedef void dgesv(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
typedef void dsyev(const char *, const char *, const int *, double *, const int *, double *, double *, const int *, int *);

static dpotrf *factor;
static dgesv *solve;
static dsyev *eigen;
static double matrix[CELLS]; /* symmetric, and positive definite */

struct mine {
  int pivots[SIZE], info;
  double a[CELLS], vector[SIZE], work[WORK];
};

static void *make(void)
{
  void *mine = malloc(sizeof(struct mine));
  if (mine == NULL) {
    fprintf(stderr, "lapack_callers: no memory\n");
    exit(1);
  }
  return mine;
}

/* The vector is the sum of each row: the solution of the equations is 1 everywhere.  */
static void prepare(void *argument)
{
  struct mine *mine = argument;
  memcpy(mine->a, matrix, sizeof matrix);
  for (int i = 0; i < SIZE; i++) {
    mine->vector[i] = 0;
    for (int j = 0; j < SIZE; j++)
      mine->vector[i] += matrix[i * SIZE + j];
  }
  mine->info = -1;
}

static const int size = SIZE, one = 1, work = WORK;

static void call_factor(void *argument)
{
  struct mine *mine = argument;
  factor("L", &size, mine->a, &size, &mine->info);
}

static void call_solve(void *argument)
{
  struct mine *mine = argument;
  solve(&size, &one, mine->a, &size, mine->pivots, mine->vector, &size, &mine->info);
}

static void call_eigen(void *argument)
{
  struct mine *mine = argument;
  eigen("V", "L", &size, mine->a, &size, mine->vector, mine->work, &work, &mine->info);
}

static int is_near(double got, double expected)
{
  return fabs(got - expected) < 1e-8 * SIZE;
}

/* The lower triangle times its transpose is the matrix.  One column of it is compared.  */
static int factor_is_right(const void *argument)
{
  const struct mine *mine = argument;
  int column = SIZE / 2;
  for (int i = column; i < SIZE; i++) {
    double sum = 0;
    for (int k = 0; k <= column; k++)
      sum += mine->a[k * SIZE + i] * mine->a[k * SIZE + column];
    if (!is_near(sum, matrix[column * SIZE + i]))
      return 0;
  }
  return mine->info == 0;
}

static int solution_is_right(const void *argument)
{
  const struct mine *mine = argument;
  for (int i = 0; i < SIZE; i++)
    if (!is_near(mine->vector[i], 1))
      return 0;
  return mine->info == 0;
}

/* The matrix times its last eigenvector is that vector times the largest eigenvalue.  */
static int eigenvector_is_right(const void *argument)
{
  const struct mine *mine = argument;
  const double *last = &mine->a[(SIZE - 1) * SIZE];
  for (int i = 0; i < SIZE; i++) {
    double sum = 0;
    for (int j = 0; j < SIZE; j++)
      sum += matrix[i * SIZE + j] * last[j];
    if (!is_near(sum, mine->vector[SIZE - 1] * last[i]))
      return 0;
  }
  return mine->info == 0;
}

static const struct calls routines[] = {
    {"dpotrf", make, prepare, call_factor, factor_is_right},
    {"dgesv", make, prepare, call_solve, solution_is_right},
    {"dsyev", make, prepare, call_eigen, eigenvector_is_right},
};

static void begin(long routine)
{
  factor = (dpotrf *)openblas_function("dpotrf_");
  solve = (dgesv *)openblas_function("dgesv_");
  eigen = (dsyev *)openblas_function("dsyev_");
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      matrix[i * SIZE + j] = i == j ? SIZE : 1.0 / (1 + abs(i - j));
  void *mine = make();
  prepare(mine);
  routines[routine].call(mine); /* afterwards the library has what it needs */
  free(mine);
}

int main(int argc, char **argv)
{
  long workers, callers = 0, count = 0, routine = 0;
  const struct key keys[] = {{"callers", &callers}, {"calls", &count}, {"routine", &routine}};
  if (!keys_read(keys, 3, argc, argv, &workers))
    return 2;
  if (routine < 0 || routine > 2) {
    fprintf(stderr, "routine=%ld: expected 0 (dpotrf), 1 (dgesv) or 2 (dsyev)\n", routine);
    return 2;
  }
  calls_check(&routines[routine], callers, count);
  begin(routine);
  calls_measure(&routines[routine], callers, count);
  return 0;
}
