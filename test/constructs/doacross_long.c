/* Doacross loops of many iterations: memory must not grow with their number where one thread executes
   its part in order, and each iteration must still wait for its own predecessors.
   gcc: clang's code waits for iterations one beyond the end of a dimension, which no thread executes, on any runtime */
#include <omp.h>
#include <stdio.h>
#include <sys/resource.h>

enum { THREADS = 4, SMALL = 1003, INNER = 3 };
enum { LARGE = 1 << 24, PART = 262144 };

static long resident_kilobytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* The value of an iteration, computed from the iterations that it waits for.  */
static long value(long at[SMALL][INNER], int i, int j, int back)
{
  long before = i >= back && j + 1 < INNER ? at[i - back][j + 1] : 0;
  return (before + (i >= 1 ? at[i - 1][j] : 0) + 1) % 1000003;
}

static long at[SMALL][INNER], right[SMALL][INNER];

static int compare(int back)
{
  int wrong = 0;
  for (int i = 0; i < SMALL; i++)
    for (int j = 0; j < INNER; j++) {
      right[i][j] = value(right, i, j, back);
      wrong += at[i][j] != right[i][j];
      at[i][j] = 0;
    }
  return wrong;
}

/* GCC needs the distance as a literal number.  */
#define DISTANCE(back)                                                  \
  static int distance_##back(void)                                      \
  {                                                                     \
    _Pragma("omp parallel for num_threads(THREADS) ordered(2) schedule(runtime)") \
    for (int i = 0; i < SMALL; i++)                                     \
      for (int j = 0; j < INNER; j++) {                                 \
        _Pragma(TEXT(omp ordered depend(sink : i - back, j + 1) depend(sink : i - 1, j))) \
        at[i][j] = value(at, i, j, back);                               \
        _Pragma("omp ordered depend(source)")                           \
      }                                                                 \
    return compare(back);                                               \
  }
#define TEXT(...) #__VA_ARGS__

DISTANCE(2)
DISTANCE(7)
DISTANCE(250)

/* Only the first iteration of each part waits for an iteration of another part.  */
static long many(void)
{
  long sum = 0;
#pragma omp parallel for num_threads(THREADS) ordered(1) schedule(runtime) reduction(+ : sum)
  for (long i = 0; i < LARGE; i++) {
    if (i % (PART) == 0) {
#pragma omp ordered depend(sink : i - 262144)
    }
    sum += i & 1;
#pragma omp ordered depend(source)
  }
  return sum;
}

int main(void)
{
  static const struct {
    omp_sched_t kind;
    int chunk;
  } schedules[] = {{omp_sched_static, 0}, {omp_sched_static, 1}, {omp_sched_static, 7}, {omp_sched_static, 2000},
                   {omp_sched_dynamic, 1}, {omp_sched_dynamic, 13}, {omp_sched_guided, 1}, {omp_sched_guided, 5}};
  int wrong = 0;
  for (unsigned s = 0; s < sizeof schedules / sizeof *schedules; s++) {
    omp_set_schedule(schedules[s].kind, schedules[s].chunk);
    wrong += distance_2() + distance_7() + distance_250();
  }
  long before = resident_kilobytes();
  omp_set_schedule(omp_sched_static, 0);
  wrong += many() != LARGE / 2;
  omp_set_schedule(omp_sched_static, 4096);
  wrong += many() != LARGE / 2;
  omp_set_schedule(omp_sched_dynamic, 4096);
  wrong += many() != LARGE / 2;
  long more = resident_kilobytes() - before;
  if (wrong != 0 || more > 16 << 10)
    printf("%d wrong; %ld KiB more\n", wrong, more);
  return wrong != 0 || more > 16 << 10;
}
