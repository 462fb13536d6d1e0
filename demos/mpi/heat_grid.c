/* The plate: the rows of a rank, one step of a row, and the digest of the result.  No OpenMP here.  */
#include "heat.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const heat_way_names[HEAT_WAYS] = {"funneled", "serialized", "multiple", "tasks"};

int heat_way_needs(enum heat_way way)
{
  return way == HEAT_FUNNELED ? MPI_THREAD_FUNNELED : way == HEAT_SERIALIZED ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE;
}

void heat_fail(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("heat: ", stderr);
  vfprintf(stderr, format, arguments);
  fputs("\n", stderr);
  MPI_Abort(MPI_COMM_WORLD, 2);
  abort(); /* MPI_Abort is not declared noreturn */
}

long heat_bound(long count, long part, long parts)
{
  return count / parts * part + (part < count % parts ? part : count % parts);
}

static uint64_t mix(uint64_t i)
{
  i = (i ^ i >> 31) * 0x9e3779b97f4a7c15;
  i = (i ^ i >> 29) * 0xbf58476d1ce4e5b9;
  return i ^ i >> 32;
}

/* Values that differ between cells.  */
static double initial(uint64_t cell)
{
  return (double)(mix(cell + 1) >> 11) * 0x1p-53;
}

static double *cells(long rows, long size)
{
  double *found = calloc((size_t)(rows + 2) * (size_t)(size + 2), sizeof *found);
  if (found == NULL)
    heat_fail("there is no memory for %ld rows of %ld cells", rows, size);
  return found;
}

static void fill(struct heat *h)
{
  h->now = cells(h->rows, h->size);
  h->next = cells(h->rows, h->size);
  for (long row = 1; row <= h->rows; row++)
    for (long j = 1; j <= h->size; j++)
      h->now[row * (h->size + 2) + j] = initial((uint64_t)((h->first + row - 1) * h->size + j));
}

void heat_begin(struct heat *h, long size)
{
  MPI_Comm_rank(MPI_COMM_WORLD, &h->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &h->ranks);
  if (size < h->ranks || size < HEAT_PIECES)
    heat_fail("size=%ld: expected a row for each of the %d ranks, and %d at least", size, h->ranks, HEAT_PIECES);
  h->size = size;
  h->first = heat_bound(size, h->rank, h->ranks);
  h->rows = heat_bound(size, h->rank + 1, h->ranks) - h->first;
  fill(h);
  for (int piece = 0; piece < HEAT_PIECES; piece++)
    MPI_Comm_dup(MPI_COMM_WORLD, &h->of_piece[piece]);
}

void heat_end(struct heat *h)
{
  for (int piece = 0; piece < HEAT_PIECES; piece++)
    MPI_Comm_free(&h->of_piece[piece]);
  free(h->now);
  free(h->next);
}

void heat_row(const struct heat *h, long row)
{
  long width = h->size + 2;
  const double *middle = h->now + row * width, *above = middle - width, *below = middle + width;
  double *next = h->next + row * width;
  for (long j = 1; j <= h->size; j++)
    next[j] = middle[j] + 0.2 * (above[j] + below[j] + middle[j - 1] + middle[j + 1] - 4 * middle[j]);
}

void heat_swap(struct heat *h)
{
  double *old = h->now;
  h->now = h->next;
  h->next = old;
}

/* A sum over cells of their bits and places.  It does not depend on the order of additions, but changes if one cell has another
   value or two cells are exchanged.  */
uint64_t heat_digest_of(const struct heat *h, long row, long from, long to)
{
  uint64_t sum = 0;
  for (long j = from; j < to; j++) {
    uint64_t bits;
    memcpy(&bits, &h->now[row * (h->size + 2) + j + 1], sizeof bits);
    sum += mix(bits ^ mix((uint64_t)((h->first + row - 1) * h->size + j)));
  }
  return sum;
}

uint64_t heat_serial_digest(long size, long steps)
{
  struct heat h = {.ranks = 1, .size = size, .rows = size};
  uint64_t sum = 0;
  fill(&h);
  for (long step = 0; step < steps; step++, heat_swap(&h))
    for (long row = 1; row <= size; row++)
      heat_row(&h, row);
  for (long row = 1; row <= size; row++)
    sum += heat_digest_of(&h, row, 0, size);
  free(h.now);
  free(h.next);
  return sum;
}
