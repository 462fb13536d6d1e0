/* Many calls of one C function for the price of one safe call: the loop over the
   arguments is here, and Haskell calls it once.

   A function of words and doubles is called through a pointer of another type: all words first,
   then all doubles.  On x86-64 (System V) and AArch64 each of the two classes has registers of its
   own.  There every argument arrives where the function expects it, whatever their order.  The
   Haskell side (GHC.OpenMP.Batch) refuses arguments that do not fit into the registers.  */
#include "machine/clock.h"

#include <stddef.h>
#include <stdint.h>

#if !(defined(__x86_64__) && !defined(_WIN32)) && !defined(__aarch64__)
#error "batched calls know the calling conventions of x86-64 (System V) and AArch64"
#endif

#pragma GCC visibility push(default)

/* The argument of call i is the value at base + i * stride, and for words + i * increment.  A
   single value is in the cell.  */
struct column {
  const char *base;
  int64_t stride, increment, cell;
};

enum result { RESULT_NONE, RESULT_WORD, RESULT_DOUBLE };

/* The columns of words are behind the struct, those of doubles before it, the first ones next to
   it.  So a plan is as short as the function's arguments allow.  */
struct batch {
  void (*function)(void);
  int64_t words, doubles, result;
  void *results; /* one for each call, unless RESULT_NONE */
};

static inline const struct column *word_column(const struct batch *b, int k)
{
  return (const struct column *)(b + 1) + k;
}

static inline const struct column *number_column(const struct batch *b, int k)
{
  return (const struct column *)b - 1 - k;
}

static inline int64_t word(const struct column *c, int64_t i)
{
  return *(const int64_t *)(c->base + i * c->stride) + i * c->increment;
}

static inline double number(const struct column *c, int64_t i)
{
  return *(const double *)(c->base + i * c->stride);
}

/* ------------------------------------------------------------ one loop for each shape */

#define W0
#define W1 int64_t
#define W2 W1, int64_t
#define W3 W2, int64_t
#define W6 W3, int64_t, int64_t, int64_t
#define D0
#define D1 double
#define D2 D1, double
#define D3 D2, double
#define D8 D3, double, double, double, double, double
#define VW0
#define VW1 word(&words[0], i)
#define VW2 VW1, word(&words[1], i)
#define VW3 VW2, word(&words[2], i)
#define VW6 VW3, word(&words[3], i), word(&words[4], i), word(&words[5], i)
#define VD0
#define VD1 number(&numbers[0], i)
#define VD2 VD1, number(&numbers[1], i)
#define VD3 VD2, number(&numbers[2], i)
#define VD8 VD3, number(&numbers[3], i), number(&numbers[4], i), number(&numbers[5], i), number(&numbers[6], i), number(&numbers[7], i)
#define COMMA_00
#define COMMA_01
#define COMMA_10
#define COMMA_11 ,

/* The loop has copies of its own, in registers, which the calls cannot change.  */
#define LOOP(name, type, store, w, d, comma)                                        \
  static void name(const struct batch *b, int64_t from, int64_t to)                 \
  {                                                                                 \
    struct column words[w + 1], numbers[d + 1];                                     \
    type (*f)(W##w COMMA_##comma D##d) = (type (*)(W##w COMMA_##comma D##d))b->function; \
    void *results = b->results;                                                     \
    for (int k = 0; k < w; k++)                                                     \
      words[k] = *word_column(b, k);                                                \
    for (int k = 0; k < d; k++)                                                     \
      numbers[k] = *number_column(b, k);                                            \
    (void)words, (void)numbers, (void)results;                                      \
    for (int64_t i = from; i < to; i++)                                             \
      store f(VW##w COMMA_##comma VD##d);                                           \
  }

#define LOOPS(w, d, comma)                                                  \
  LOOP(none_##w##_##d, void, , w, d, comma)                                 \
  LOOP(word_##w##_##d, int64_t, ((int64_t *)results)[i] =, w, d, comma)  \
  LOOP(double_##w##_##d, double, ((double *)results)[i] =, w, d, comma)

LOOPS(0, 0, 00)
LOOPS(1, 0, 10)
LOOPS(2, 0, 10)
LOOPS(3, 0, 10)
LOOPS(0, 1, 01)
LOOPS(1, 1, 11)
LOOPS(2, 1, 11)
LOOPS(3, 1, 11)
LOOPS(0, 2, 01)
LOOPS(1, 2, 11)
LOOPS(2, 2, 11)
LOOPS(3, 2, 11)
LOOPS(0, 3, 01)
LOOPS(1, 3, 11)
LOOPS(2, 3, 11)
LOOPS(3, 3, 11)
LOOPS(6, 8, 11) /* all registers; unused columns hold zero */

typedef void loop(const struct batch *, int64_t, int64_t);
#define ROW(w, d) {none_##w##_##d, word_##w##_##d, double_##w##_##d}

static loop *loop_for(const struct batch *b)
{
  static loop *const small[4][4][3] = {
      {ROW(0, 0), ROW(0, 1), ROW(0, 2), ROW(0, 3)},
      {ROW(1, 0), ROW(1, 1), ROW(1, 2), ROW(1, 3)},
      {ROW(2, 0), ROW(2, 1), ROW(2, 2), ROW(2, 3)},
      {ROW(3, 0), ROW(3, 1), ROW(3, 2), ROW(3, 3)},
  };
  static loop *const large[3] = ROW(6, 8);
  return b->words <= 3 && b->doubles <= 3 ? small[b->words][b->doubles][b->result]
                                          : large[b->result];
}

/* ------------------------------------------------------------------------- pieces */

enum { FIRST_PIECE = 256, PIECE_NS = 500000 };

/* Makes the calls from…to-1.  Returns early after about half a millisecond, so that an exception
   for the Haskell thread need not wait.  Returns the number of the next call.  */
int64_t ghcomp_batch_run(const struct batch *b, int64_t from, int64_t to)
{
  loop *run = loop_for(b);
  if (to - from <= FIRST_PIECE) {
    run(b, from, to);
    return to;
  }
  int64_t deadline = (int64_t)clock_ns() + PIECE_NS, piece = FIRST_PIECE;
  while (from < to) {
    int64_t end = to - from < piece ? to : from + piece;
    run(b, from, end);
    from = end;
    if ((int64_t)clock_ns() >= deadline)
      break;
  }
  return from;
}

#pragma GCC visibility pop
