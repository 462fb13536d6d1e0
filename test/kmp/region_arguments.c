/* What the threads of a region get: any number of words, other ones in each region, in regions one after another,
   inside each other, from tasks, and in leagues.  Each member reads all of its region's words after a barrier, when
   its master may be ahead.  */
#include <omp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

typedef void region_body(int32_t *, int32_t *, ...);
void __kmpc_fork_call(void *, int32_t, region_body *, ...);
void __kmpc_fork_teams(void *, int32_t, region_body *, ...);
int32_t __kmpc_global_thread_num(void *);
void __kmpc_barrier(void *, int32_t);
void __kmpc_push_num_threads(void *, int32_t, int32_t);
void __kmpc_push_num_teams(void *, int32_t, int32_t, int32_t);

static _Atomic int wrong, members;

/* The word at i: its first ones are the number of words, how deep other regions are inside, and a seed.  */
static uintptr_t word(uintptr_t count, uintptr_t depth, uintptr_t seed, unsigned i)
{
  uintptr_t first[] = {count, depth, seed};
  return i < 3 ? first[i] : seed * 1000003 + i * i;
}

static void start(unsigned count, unsigned depth, unsigned seed);

static void check(int32_t *gtid, unsigned at_least, va_list list)
{
  uintptr_t first[3];
  for (int i = 0; i < 3; i++)
    first[i] = va_arg(list, uintptr_t);
  uintptr_t count = first[0], seed = first[2];
  wrong += count < at_least;
  __kmpc_barrier(NULL, *gtid);
  for (unsigned i = 3; i < count; i++)
    wrong += va_arg(list, uintptr_t) != word(count, first[1], seed, i);
  members++;
  if (first[1] == 0)
    return;
  start(3 + (unsigned)(seed % 23), (unsigned)first[1] - 1, (unsigned)seed + 1);
  if (*gtid % 2 == 0) {
#pragma omp task firstprivate(seed, first)
    start(4 + (unsigned)(seed % 17), (unsigned)first[1] - 1, (unsigned)seed + 5);
  }
#pragma omp taskwait
}

/* Two bodies, so that a region after another has another one.  */
static void one(int32_t *gtid, int32_t *bound, ...)
{
  va_list list;
  va_start(list, bound);
  check(gtid, 3, list);
  va_end(list);
}

static void other(int32_t *gtid, int32_t *bound, ...)
{
  va_list list;
  va_start(list, bound);
  check(gtid, 3, list);
  va_end(list);
}

#define W(i) word(count, depth, seed, i)
#define W5(i) W(i), W(i + 1), W(i + 2), W(i + 3), W(i + 4)
#define W25(i) W5(i), W5(i + 5), W5(i + 10), W5(i + 15), W5(i + 20)

static void start(unsigned count, unsigned depth, unsigned seed)
{
  __kmpc_push_num_threads(NULL, __kmpc_global_thread_num(NULL), 1 + (int)(seed % 4));
  __kmpc_fork_call(NULL, (int32_t)count, seed % 3 == 0 ? one : other, W25(0), W25(25), W25(50), W25(75));
}

static void league(unsigned count, unsigned seed)
{
  unsigned depth = 1;
  __kmpc_push_num_teams(NULL, __kmpc_global_thread_num(NULL), 3, 2);
  __kmpc_fork_teams(NULL, (int32_t)count, one, W25(0), W25(25), W25(50), W25(75));
}

static void empty(int32_t *gtid, int32_t *bound, ...)
{
  (void)gtid, (void)bound;
  members++;
}

int main(void)
{
  static const unsigned counts[] = {3, 4, 5, 8, 11, 12, 13, 16, 17, 31, 63, 64, 65, 100};
  omp_set_max_active_levels(3);
  for (unsigned round = 0; round < 30; round++) {
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
      start(counts[i], i % 3, round + i);
    league(counts[round % (sizeof counts / sizeof *counts)], round);
    members = 0;
    __kmpc_fork_call(NULL, 0, empty);
    wrong += members < 1;
  }
  puts(wrong == 0 ? "good" : "bad");
  return wrong != 0;
}
