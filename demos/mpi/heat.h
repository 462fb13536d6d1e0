/* Heat in a plate, its rows dealt out over MPI's ranks: what the C program (heat.c), the Haskell program (Heat.hs) and the
   workload (bench/workloads/heat_ranks.c) share.

   Every cell's new value is the same expression of five old ones wherever it is computed, so whatever the ranks, threads and the
   way in which edges are exchanged, each bit of the result is that of the serial computation.  heat_digest compares them.  */
#include <mpi.h>
#include <stdint.h>

/* A row that ranks exchange is cut into pieces, however many threads there are: a rank with one thread exchanges the same
   messages as its neighbour with two.  */
enum { HEAT_PIECES = 8 };

struct heat {
  int rank, ranks;
  long size;         /* the plate has size by size cells, and a frame that stays cold */
  long first, rows;  /* global number of this rank's first row; how many it has */
  double *now, *next; /* (rows + 2) by (size + 2): with the neighbours' edges, or the frame */
  MPI_Comm of_piece[HEAT_PIECES]; /* for collective calls from several threads at once: each piece has its own */
};

/* Who calls MPI.  Each exists in heat_steps.  */
enum heat_way {
  HEAT_FUNNELED,   /* the thread that called MPI_Init, while the others compute */
  HEAT_SERIALIZED, /* whichever thread comes first, one at a time */
  HEAT_MULTIPLE,   /* all threads of the region, each with its pieces */
  HEAT_TASKS,      /* the thread that happens to execute the task */
  HEAT_WAYS
};

extern const char *const heat_way_names[HEAT_WAYS];
int heat_way_needs(enum heat_way way); /* the thread level, MPI_THREAD_... */

/* heat_grid.c: the plate.  */
long heat_bound(long count, long part, long parts); /* where a part of 0 to count begins */
void heat_begin(struct heat *h, long size);         /* collective */
void heat_end(struct heat *h);                      /* collective */
void heat_row(const struct heat *h, long row);      /* 1 to rows: now to next */
void heat_swap(struct heat *h);
uint64_t heat_digest_of(const struct heat *h, long row, long from, long to); /* of these columns of a row */
uint64_t heat_serial_digest(long size, long steps); /* what must come out */
void heat_fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* heat_halo.c: the exchange of edges.  */
void heat_exchange(struct heat *h);            /* whole rows, by the calling thread */
void heat_exchange_piece(struct heat *h, int piece);
void heat_post(struct heat *h, int piece, MPI_Request requests[4]);
void heat_wait(MPI_Request requests[4]);

/* heat_steps.c: regions that do both.  */
void heat_steps(struct heat *h, enum heat_way way, long steps);
uint64_t heat_digest(struct heat *h);           /* collective, by the calling thread: sums over all ranks */
uint64_t heat_digest_by_pieces(struct heat *h); /* the same, by all threads of a region at once */
