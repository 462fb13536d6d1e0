/* Worksharing loops at the limits of their types (5.2, 11.5): each iteration must be executed once,
   for every schedule, step and bounds.  Calls the entry points that compiled loops call.  */
#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long ull;

bool GOMP_loop_static_start(long, long, long, long, long *, long *);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_dynamic_start(long, long, long, long, long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_guided_start(long, long, long, long, long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_ull_static_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_static_next(ull *, ull *);
bool GOMP_loop_ull_dynamic_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_dynamic_next(ull *, ull *);
bool GOMP_loop_ull_guided_start(bool, ull, ull, ull, ull, ull *, ull *);
bool GOMP_loop_ull_guided_next(ull *, ull *);
void GOMP_loop_end(void);

static const struct {
  bool (*start)(long, long, long, long, long *, long *);
  bool (*next)(long *, long *);
} kinds[] = {{GOMP_loop_static_start, GOMP_loop_static_next},
             {GOMP_loop_dynamic_start, GOMP_loop_dynamic_next},
             {GOMP_loop_guided_start, GOMP_loop_guided_next}};

static const struct {
  bool (*start)(bool, ull, ull, ull, ull, ull *, ull *);
  bool (*next)(ull *, ull *);
} ull_kinds[] = {{GOMP_loop_ull_static_start, GOMP_loop_ull_static_next},
                 {GOMP_loop_ull_dynamic_start, GOMP_loop_ull_dynamic_next},
                 {GOMP_loop_ull_guided_start, GOMP_loop_ull_guided_next}};

struct range {
  long start, end, step;
  ull count; /* iterations */
};

static const struct range ranges[] = {
    {0, 100, 1, 100}, {0, 0, 1, 0}, {5, 3, 1, 0}, {0, 10, 3, 4}, {10, 0, -3, 4}, {3, 5, -1, 0},
    {LONG_MAX - 10, LONG_MAX, 3, 4}, {LONG_MIN + 10, LONG_MIN, -3, 4},
    {LONG_MIN, LONG_MAX, LONG_MAX, 3}, {LONG_MAX, LONG_MIN, LONG_MIN, 2},
    {LONG_MIN, LONG_MAX, 1L << 60, 16}, {-7, 8, 15, 1},
};

static const long chunks[] = {0, 1, 3, 1000, LONG_MAX};

static int failures;

static void complain(const char *what, unsigned kind, const struct range *r, long chunk)
{
#pragma omp critical
  {
    printf("%s: kind %u start %ld end %ld step %ld chunk %ld\n", what, kind, r->start, r->end,
           r->step, chunk);
    failures++;
  }
}

/* Iterations in [first, last) with the step, as the compiled loop counts them.  */
static ull count_long(long first, long last, long step)
{
  ull n = 0;
  for (long i = first; step > 0 ? i < last : i > last;) {
    n++;
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  return n;
}

static void check_long(unsigned kind, const struct range *r, long chunk)
{
  ull total = 0;
#pragma omp parallel num_threads(3) reduction(+ : total)
  {
    long first, last;
    if (kinds[kind].start(r->start, r->end, r->step, chunk, &first, &last))
      do {
        if (r->step > 0 ? first >= last : first <= last)
          complain("empty chunk", kind, r, chunk);
        total += count_long(first, last, r->step);
      } while (kinds[kind].next(&first, &last));
    GOMP_loop_end();
  }
  if (total != r->count)
    complain("wrong count", kind, r, chunk);
}

static ull count_ull(bool up, ull first, ull last, ull step)
{
  ull n = 0;
  for (ull i = first; up ? i < last : i > last;) {
    ull before = i;
    n++;
    i += step;
    if (up ? i < before : i > before)
      break;
  }
  return n;
}

static void check_ull(unsigned kind, bool up, ull start, ull end, ull step, ull chunk, ull count)
{
  ull total = 0;
#pragma omp parallel num_threads(3) reduction(+ : total)
  {
    ull first, last;
    if (ull_kinds[kind].start(up, start, end, step, chunk, &first, &last))
      do
        total += count_ull(up, first, last, step);
      while (ull_kinds[kind].next(&first, &last));
    GOMP_loop_end();
  }
  if (total != count) {
    printf("ull kind %u up %d start %llu end %llu step %llu chunk %llu: %llu not %llu\n", kind, up,
           start, end, step, chunk, total, count);
    failures++;
  }
}

int main(void)
{
  for (unsigned kind = 0; kind < 3; kind++) {
    for (unsigned c = 0; c < sizeof chunks / sizeof chunks[0]; c++)
      for (unsigned r = 0; r < sizeof ranges / sizeof ranges[0]; r++)
        check_long(kind, &ranges[r], chunks[c]);
    for (ull chunk = 0; chunk < 3; chunk++) {
      ull c = chunk == 2 ? ULLONG_MAX : chunk;
      check_ull(kind, true, 0, ULLONG_MAX, ULLONG_MAX / 7, c, 8);
      check_ull(kind, true, ULLONG_MAX - 5, ULLONG_MAX, 2, c, 3);
      check_ull(kind, false, 5, 0, -2ULL, c, 3);
      check_ull(kind, false, ULLONG_MAX, 0, -(ULLONG_MAX / 3), c, 3);
      check_ull(kind, true, 7, 7, 1, c, 0);
      check_ull(kind, false, 0, 9, -1ULL, c, 0);
    }
  }
  return failures != 0;
}
