/* See heat_report.h.  It finds out through dlsym which runtime serves it, so the same program runs on any libgomp.so.1.  */
#define _GNU_SOURCE /* sched_getaffinity, RTLD_DEFAULT */
#include "heat_report.h"

#include <dlfcn.h>
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* If threads are bound to places (OMP_PROC_BIND), the initial thread may use the processors of its own place only.  All places
   together have the processors that the launcher allows.  */
static int processors(void)
{
  cpu_set_t set;
  int of_places = 0;
  for (int place = 0; place < omp_get_num_places(); place++)
    of_places += omp_get_place_num_procs(place);
  if (of_places > 0)
    return of_places;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

static int team(void)
{
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  return size;
}

struct report report_make(void)
{
  struct report own = {.processors = processors(), .served_by = "libgomp"};
  const char *(*describe)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "ghcomp_substrate_describe");
  own.threads = team();
  if (describe != NULL)
    snprintf(own.served_by, sizeof own.served_by, "%s", describe());
  return own;
}

/* One number of each rank, in the order of ranks.  */
static void print_numbers(const char *name, const struct report *all, int ranks, int (*number)(const struct report *))
{
  printf("; %s", name);
  for (int rank = 0; rank < ranks; rank++)
    printf(" %d", number(&all[rank]));
}

static int processors_of(const struct report *one)
{
  return one->processors;
}

static int capabilities_of(const struct report *one)
{
  return one->capabilities;
}

static int threads_of(const struct report *one)
{
  return one->threads;
}

void report_print(const struct report *own, const char *what, bool right)
{
  int rank, ranks, own_right = right, all_right;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  struct report *all = calloc((size_t)ranks, sizeof *all);
  if (all == NULL)
    MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Gather(own, sizeof *own, MPI_BYTE, all, sizeof *own, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Reduce(&own_right, &all_right, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%s, %d rank%s", what, ranks, ranks > 1 ? "s" : "");
    print_numbers("processors", all, ranks, processors_of);
    if (own->capabilities > 0)
      print_numbers("Capabilities", all, ranks, capabilities_of);
    print_numbers("threads", all, ranks, threads_of);
    printf("; %s; sum %s\n", all[ranks - 1].served_by, all_right ? "right" : "WRONG");
  }
  free(all);
}
