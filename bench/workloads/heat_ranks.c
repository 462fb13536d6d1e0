/* Heat in a plate, divided among MPI's ranks (demos/mpi/heat.h): the time of a step for three ways in which a region's threads call MPI.
   Prints a row for each.  The result must equal the serial one, bit by bit, and each rank's team must have the size of its case.

   usage: heat_ranks NUMBER threads=N steps=N size=N    NUMBER: the row's number of workers, which is not used  */
#include "../../demos/mpi/heat.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WARMUP = 2 };

static long argument(int argc, char **argv, const char *name)
{
  size_t length = strlen(name);
  long found = 0;
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=')
      found = atol(argv[i] + length + 1);
  if (found < 1)
    heat_fail("expected %s=N with a number of 1 at least", name);
  return found;
}

/* Whether every rank has teams of that size.  */
static int have_teams_of(long threads)
{
  int team, all, right;
#pragma omp parallel
#pragma omp single
  team = omp_get_num_threads();
  right = team == threads;
  MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all;
}

/* Microseconds for a step, in the slowest rank.  */
static double time_of(struct heat *h, enum heat_way way, long steps)
{
  double longest;
  heat_steps(h, way, WARMUP);
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  heat_steps(h, way, steps);
  double own = MPI_Wtime() - start;
  MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return longest * 1e6 / (double)steps;
}

static void print(enum heat_way way, double time, const char *wrong)
{
  if (wrong != NULL)
    printf("%s: WRONG %s\n", heat_way_names[way], wrong);
  else
    printf("%s: %.3f\n", heat_way_names[way], time);
}

int main(int argc, char **argv)
{
  static const enum heat_way ways[] = {HEAT_FUNNELED, HEAT_MULTIPLE, HEAT_TASKS};
  enum { COUNT = sizeof ways / sizeof *ways };
  struct heat h;
  double times[COUNT];
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE)
    heat_fail("this MPI does not give MPI_THREAD_MULTIPLE");
  long steps = argument(argc, argv, "steps");
  heat_begin(&h, argument(argc, argv, "size"));
  const char *wrong = have_teams_of(argument(argc, argv, "threads")) ? NULL : "size of a team";
  for (int i = 0; i < COUNT; i++)
    times[i] = time_of(&h, ways[i], steps);
  uint64_t found = heat_digest(&h);
  if (h.rank == 0 && found != heat_serial_digest(h.size, COUNT * (WARMUP + steps)))
    wrong = "result";
  for (int i = 0; i < COUNT && h.rank == 0; i++)
    print(ways[i], times[i], wrong);
  heat_end(&h);
  MPI_Finalize();
  return 0;
}
