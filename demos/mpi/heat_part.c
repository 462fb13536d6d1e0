/* The small C part of the Haskell program: MPI's calls as functions of numbers and pointers, and two regions.  MPI's own names
   are macros and objects that differ between implementations, so Haskell does not import them itself.  */
#include "heat.h"
#include "heat_report.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static struct heat plate;
static MPI_Request requests[HEAT_PIECES][4];

/* Whether MPI provides MPI_THREAD_MULTIPLE.  */
int part_begin(void)
{
  int provided;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  return provided >= MPI_THREAD_MULTIPLE;
}

/* Whether the caller's OS thread is the one that called MPI_Init_thread.  */
int part_is_main(void)
{
  int is_main;
  MPI_Is_thread_main(&is_main);
  return is_main;
}

void part_end(void)
{
  heat_end(&plate);
  MPI_Finalize();
}

void part_abort(int status)
{
  MPI_Abort(MPI_COMM_WORLD, status);
}

struct heat *part_plate(long size)
{
  heat_begin(&plate, size);
  return &plate;
}

int part_rank(void)
{
  return plate.rank;
}

int part_ranks(void)
{
  return plate.ranks;
}

long part_rows(void)
{
  return plate.rows;
}

double *part_now(void)
{
  return plate.now;
}

double *part_next(void)
{
  return plate.next;
}

/* A region whose threads call MPI.  */
void part_exchange_in_region(void)
{
#pragma omp parallel for schedule(static)
  for (int piece = 0; piece < HEAT_PIECES; piece++)
    heat_exchange_piece(&plate, piece);
}

/* A region whose last thread ends the process.  */
void part_die_in_region(void)
{
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1)
    abort();
}

/* Posts the messages that part_wait waits for, piece by piece, in any order and from any threads.  */
int part_post(void)
{
  for (int piece = 0; piece < HEAT_PIECES; piece++)
    heat_post(&plate, piece, requests[piece]);
  return HEAT_PIECES;
}

void part_wait(int piece)
{
  heat_wait(requests[piece]);
}

/* Collective: the sum over all ranks.  */
uint64_t part_sum(uint64_t own)
{
  uint64_t all;
  MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* Collective: whether `found` is the result of the serial computation.  */
int part_is_serial(uint64_t found, long steps)
{
  uint64_t expected = 0;
  if (plate.rank == 0)
    expected = heat_serial_digest(plate.size, steps);
  MPI_Bcast(&expected, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return found == expected;
}

/* In a Haskell program a region may have fewer threads than there are Capabilities, because Haskell threads or other regions use
   them.  The region after omp_get_max_threads has its full size.  */
void part_report(int capabilities, const char *served_by, int right)
{
  omp_get_max_threads();
  struct report own = report_make();
  own.capabilities = capabilities;
  snprintf(own.served_by, sizeof own.served_by, "%s", served_by);
  report_print(&own, "Haskell, multiple", right);
}
