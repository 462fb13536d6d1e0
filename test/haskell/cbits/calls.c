/* Functions that batches call, with words and doubles in several orders.  */
#include <stdint.h>

static int64_t seen;

void calls_note(int64_t x) { seen = seen * 31 + x; }
int64_t calls_noted(void) { int64_t s = seen; seen = 0; return s; }
int64_t calls_nothing(void) { return 7; }
double calls_halve(double x) { return x / 2; }
int64_t calls_twice(int64_t x) { return 2 * x; }
double calls_mixed(double a, int64_t b, double c, int64_t d) { return a + 10 * b + 100 * c + 1000 * d; }
int64_t calls_words(int64_t a, int64_t b, int64_t c) { return a - 2 * b + 3 * c; }

double calls_many(int64_t a, double p, int64_t b, double q, int64_t c, double r, int64_t d, double s,
                  int64_t e, double t, int64_t f, double u, double v, double w)
{
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * p + 8 * q + 9 * r + 10 * s + 11 * t +
         12 * u + 13 * v + 14 * w;
}

/* Takes long.  */
int64_t calls_slow(int64_t turns)
{
  uint64_t x = 1;
  for (int64_t i = 0; i < turns; i++)
    x = x * 6364136223846793005 + 1;
  return (int64_t)(x & 1);
}

double calls_back(double (*f)(double), double x) { return f(x); }
