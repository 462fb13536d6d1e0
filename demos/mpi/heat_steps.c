/* Regions in which the same threads compute and call MPI, in each way that a thread level allows.

   Rows 2 to rows - 1 need nothing from other ranks, and are computed while the edges are sent.  The first and the last row are
   computed after the neighbours' edges have arrived.  */
#include "heat.h"

#include <omp.h>

/* A rank with one row has one edge.  */
static int edges(const struct heat *h)
{
  return h->rows > 1 ? 2 : 1;
}

static long edge(const struct heat *h, int i)
{
  return i == 0 ? 1 : h->rows;
}

/* Threads that have passed the first barrier may read the edges.  */
static void compute(struct heat *h)
{
#pragma omp for schedule(dynamic, 4) nowait
  for (long row = 2; row < h->rows; row++)
    heat_row(h, row);
#pragma omp barrier
#pragma omp for
  for (int i = 0; i < edges(h); i++)
    heat_row(h, edge(h, i));
#pragma omp single
  heat_swap(h);
}

static void check_main_thread(void)
{
  int is_main;
  MPI_Is_thread_main(&is_main);
  if (!is_main)
    heat_fail("thread %d of a region is not the one that called MPI_Init", omp_get_thread_num());
}

static void funneled(struct heat *h, long steps)
{
#pragma omp parallel
  for (long step = 0; step < steps; step++) {
#pragma omp master
    {
      check_main_thread();
      heat_exchange(h);
    }
    compute(h);
  }
}

static void serialized(struct heat *h, long steps)
{
#pragma omp parallel
  for (long step = 0; step < steps; step++) {
#pragma omp single nowait
    heat_exchange(h);
    compute(h);
  }
}

/* Each thread waits for its pieces in ascending order.  So the lowest piece that any thread of any rank waits for is waited for on
   both sides, and arrives, whatever the number of threads of the neighbours.  */
static void multiple(struct heat *h, long steps)
{
#pragma omp parallel
  for (long step = 0; step < steps; step++) {
#pragma omp for schedule(static) nowait
    for (int piece = 0; piece < HEAT_PIECES; piece++)
      heat_exchange_piece(h, piece);
    compute(h);
  }
}

/* A task that waits for a message keeps its thread, and tasks are executed in any order: two ranks of one thread each could wait
   for different pieces.  So all messages are posted before the first task is created.  */
static void step_by_tasks(struct heat *h)
{
  MPI_Request requests[HEAT_PIECES][4];
  long block = h->rows / 8 + 1;
  for (int piece = 0; piece < HEAT_PIECES; piece++)
    heat_post(h, piece, requests[piece]);
#pragma omp taskgroup
  {
    for (int piece = 0; piece < HEAT_PIECES; piece++)
#pragma omp task
      heat_wait(requests[piece]);
    for (long first = 2; first < h->rows; first += block)
#pragma omp task
      for (long row = first; row < first + block && row < h->rows; row++)
        heat_row(h, row);
  }
  for (int i = 0; i < edges(h); i++)
#pragma omp task
    heat_row(h, edge(h, i));
#pragma omp taskwait
  heat_swap(h);
}

static void tasks(struct heat *h, long steps)
{
#pragma omp parallel
#pragma omp single
  for (long step = 0; step < steps; step++)
    step_by_tasks(h);
}

void heat_steps(struct heat *h, enum heat_way way, long steps)
{
  static void (*const ways[HEAT_WAYS])(struct heat *, long) = {funneled, serialized, multiple, tasks};
  ways[way](h, steps);
}

uint64_t heat_digest(struct heat *h)
{
  uint64_t sum = 0, all;
#pragma omp parallel for reduction(+ : sum)
  for (long row = 1; row <= h->rows; row++)
    sum += heat_digest_of(h, row, 0, h->size);
  MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* A communicator allows one collective call at a time.  With one communicator for each piece, all threads of all ranks can add up at
   once.  The order of the pieces is that of multiple(), for the same reason.  */
uint64_t heat_digest_by_pieces(struct heat *h)
{
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (int piece = 0; piece < HEAT_PIECES; piece++) {
    uint64_t own = 0, all;
    for (long row = 1; row <= h->rows; row++)
      own += heat_digest_of(h, row, heat_bound(h->size, piece, HEAT_PIECES), heat_bound(h->size, piece + 1, HEAT_PIECES));
    MPI_Allreduce(&own, &all, 1, MPI_UINT64_T, MPI_SUM, h->of_piece[piece]);
    sum += all;
  }
  return sum;
}
