/* Heat in a plate whose rows are divided among MPI's ranks: what the C program (heat.c), the Haskell program (Heat.hs) and the
   workload (bench/workloads/heat_ranks.c) share.

   The new value of a cell is always the same expression of five old values.  So each bit of the result equals that of the serial
   computation, for any number of ranks and threads and any way to exchange edges.  heat_digest compares them.  */
#include <mpi.h>
#include <stdint.h>

/* A row that ranks exchange is cut into a fixed number of pieces, so that a rank with one thread exchanges the same messages
   as its neighbour with two.  */
enum { HEAT_PIECES = 8 };

struct heat {
  int rank, ranks;
  long size;         /* the plate has size by size cells, and a frame that stays cold */
  long first, rows;  /* global number of this rank's first row; number of its rows */
  double *now, *next; /* (rows + 2) by (size + 2), with the neighbours' edges or the frame */
  MPI_Comm of_piece[HEAT_PIECES]; /* one for each piece, for collective calls from several threads at once */
};

/* Which thread calls MPI.  heat_steps contains each way.  */
enum heat_way {
  HEAT_FUNNELED,   /* the thread that called MPI_Init, while the others compute */
  HEAT_SERIALIZED, /* the thread that arrives first, one at a time */
  HEAT_MULTIPLE,   /* all threads of the region, each for its pieces */
  HEAT_TASKS,      /* the thread that executes the task */
  HEAT_WAYS
};

extern const char *const heat_way_names[HEAT_WAYS];
int heat_way_needs(enum heat_way way); /* the thread level, MPI_THREAD_... */

/* heat_grid.c: the plate.  */
long heat_bound(long count, long part, long parts); /* first of 0..count-1 that belongs to the part */
void heat_begin(struct heat *h, long size);         /* collective */
void heat_end(struct heat *h);                      /* collective */
void heat_row(const struct heat *h, long row);      /* computes row 1..rows of next from now */
void heat_swap(struct heat *h);
uint64_t heat_digest_of(const struct heat *h, long row, long from, long to); /* of these columns of a row */
uint64_t heat_serial_digest(long size, long steps); /* the right result */
void heat_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* heat_halo.c: the exchange of edges.  */
void heat_exchange(struct heat *h);            /* whole rows, by the calling thread */
void heat_exchange_piece(struct heat *h, int piece);
void heat_post(struct heat *h, int piece, MPI_Request requests[4]);
void heat_wait(MPI_Request requests[4]);

/* heat_steps.c: regions that do both.  */
void heat_steps(struct heat *h, enum heat_way way, long steps);
uint64_t heat_digest(struct heat *h);           /* collective, by the calling thread: sums over all ranks */
uint64_t heat_digest_by_pieces(struct heat *h); /* the same sum, by all threads of a region at once */
