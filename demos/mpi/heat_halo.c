/* Sends and receives edges to and from the ranks above and below.  The tag of a message contains the number of its piece and its
   direction, so that threads which exchange different pieces at once cannot receive each other's.  */
#include "heat.h"

static int above(const struct heat *h)
{
  return h->rank > 0 ? h->rank - 1 : MPI_PROC_NULL;
}

static int below(const struct heat *h)
{
  return h->rank + 1 < h->ranks ? h->rank + 1 : MPI_PROC_NULL;
}

/* Posts the receives and sends for these columns of the edges.  */
static void post(struct heat *h, long from, long to, int tag, MPI_Request requests[4])
{
  long width = h->size + 2;
  int count = (int)(to - from), upward = 2 * tag, downward = 2 * tag + 1;
  double *now = h->now + 1 + from;
  MPI_Irecv(now, count, MPI_DOUBLE, above(h), downward, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(now + (h->rows + 1) * width, count, MPI_DOUBLE, below(h), upward, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(now + width, count, MPI_DOUBLE, above(h), upward, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(now + h->rows * width, count, MPI_DOUBLE, below(h), downward, MPI_COMM_WORLD, &requests[3]);
}

void heat_wait(MPI_Request requests[4])
{
  MPI_Status statuses[4]; /* GCC warns of MPICH's MPI_STATUSES_IGNORE */
  MPI_Waitall(4, requests, statuses);
}

void heat_post(struct heat *h, int piece, MPI_Request requests[4])
{
  post(h, heat_bound(h->size, piece, HEAT_PIECES), heat_bound(h->size, piece + 1, HEAT_PIECES), piece, requests);
}

void heat_exchange_piece(struct heat *h, int piece)
{
  MPI_Request requests[4];
  heat_post(h, piece, requests);
  heat_wait(requests);
}

void heat_exchange(struct heat *h)
{
  MPI_Request requests[4];
  post(h, 0, h->size, HEAT_PIECES, requests);
  heat_wait(requests);
}
