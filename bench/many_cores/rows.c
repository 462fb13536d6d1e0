/* Rows that only a real machine has: waits of several lengths, memory, processor time.  They join those of bench/scale/rows.  */
#include "rows.h"
#include "by_one.h"

#include <time.h>

static void late_60us(void) { late_by(6e4, -1); }
static void late_100us(void) { late_by(1e5, -1); }
static void late_300us(void) { late_by(3e5, -1); }
static void late_5ms(void) { late_by(5e6, -1); }

static void after_serial(double ns)
{
  double sum = 0;
  begin();
  TIMES(5)
  {
    scale_work(ns);
    double last = last_to_begin();
    sum += r_ > 0 ? last : 0;
  }
  end_with(sum, 4);
}
static void serial_50us(void) { after_serial(5e4); }
static void serial_200us(void) { after_serial(2e5); }
static void serial_1ms(void) { after_serial(1e6); }
static void serial_20ms(void) { after_serial(2e7); }

static void make_3us(void)
{
  for (int i = 0; i < 20 * n; i++) {
#pragma omp task
    scale_work(3000);
  }
}

static void tasks_3us(void)
{
  begin();
  BY_ONE(make_3us());
  end(20);
}

/* The long chunk comes first, and is long enough that the others can be done meanwhile.  */
static void uneven(void)
{
  begin();
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 4 * n; i++)
    scale_work(i == 0 ? 2e6 : 2e5);
  end(1);
}

static void loops_without_barrier(void)
{
#pragma omp parallel
  {
#pragma omp master
    begin();
    TIMES(16)
    {
#pragma omp for schedule(dynamic) nowait
      for (int i = 0; i < 8 * n; i++)
        scale_work(200);
    }
#pragma omp barrier
#pragma omp master
    end(16);
  }
}

/* An entry, with `inside` ns; or the longest wait of any thread.  */
static void critical_of(double inside, int longest)
{
  long entries = 0;
  begin();
#pragma omp parallel
  {
    of[omp_get_thread_num()].left = 0;
    TIMES(50)
    {
      double came = scale_now(), waited;
#pragma omp critical
      {
        waited = scale_now() - came;
        entries++;
        if (inside > 0)
          scale_work(inside);
      }
      double *most = &of[omp_get_thread_num()].left;
      *most = waited > *most ? waited : *most;
    }
  }
  expect(entries == 50 * n);
  end(50 * n);
  if (longest) {
    double most = 0;
    for (int i = 0; i < n; i++)
      most = of[i].left > most ? of[i].left : most;
    end_with(most, 1);
  }
}
static void critical_empty(void) { critical_of(0, 0); }
static void critical_200ns(void) { critical_of(200, 0); }
static void critical_longest(void) { critical_of(200, 1); }

/* 4 MiB for each thread, which the thread that works on it has touched first: all ones.  */
enum { EACH = 1 << 17 };
static double *memory;
static int pieces;

static double *memory_of(int threads)
{
  if (pieces != threads) {
    free(memory);
    memory = malloc(4 * sizeof *memory * EACH * (size_t)threads);
    expect(memory != NULL);
    pieces = threads;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < 4L * EACH * threads; i++)
      memory[i] = 1;
  }
  return memory;
}

static void triad(void)
{
  double *a = memory_of(n);
  begin();
  TIMES(3)
  {
#pragma omp parallel
    {
      double *mine = a + 4L * EACH * omp_get_thread_num();
      for (long i = 0; i < EACH; i++)
        mine[i] = mine[EACH + i] + 3 * mine[2 * EACH + i];
    }
  }
  end(3);
  expect(a[0] == 4);
}

/* Sweeps of some 30 us: each reads what its neighbours have written.  */
static void sweeps(void)
{
  enum { POINTS = 16384 };
  double *a = memory_of(n), *b = a + 2L * EACH * n;
  long all = (long)POINTS * n;
  begin();
  TIMES(20)
  {
    double *from = r_ % 2 ? b : a, *to = r_ % 2 ? a : b;
#pragma omp parallel for schedule(static)
    for (long i = 1; i < all - 1; i++)
      to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
  }
  end(20);
  expect(a[all / 2] == 1);
}

static double clock_of(clockid_t which)
{
  struct timespec t;
  clock_gettime(which, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* What the workers take of processors while the master computes.  */
static void idle_workers(void)
{
  begin();
  double all = clock_of(CLOCK_PROCESS_CPUTIME_ID), own = clock_of(CLOCK_THREAD_CPUTIME_ID);
  TIMES(20)
  {
    scale_work(1e6);
#pragma omp parallel
    scale_work(1000);
  }
  double others = clock_of(CLOCK_PROCESS_CPUTIME_ID) - all - (clock_of(CLOCK_THREAD_CPUTIME_ID) - own);
  end_with(others > 0 ? others : 0, 20);
}

const struct row machine_rows[] = {
  ROW("late-60us", late_60us, "a barrier", "one thread is late by 60 us: from its arrival to the last departure"),
  ROW("late-100us", late_100us, "a barrier", "one thread is late by 100 us: from its arrival to the last departure"),
  ROW("late-300us", late_300us, "a barrier", "one thread is late by 300 us: from its arrival to the last departure"),
  ROW("late-5ms", late_5ms, "a barrier", "one thread is late by 5 ms: from its arrival to the last departure"),
  ROW("serial-50us", serial_50us, "a region", "after a serial part of 50 us: from the fork to the last thread's begin"),
  ROW("serial-200us", serial_200us, "a region", "after a serial part of 200 us: from the fork to the last thread's begin"),
  ROW("serial-1ms", serial_1ms, "a region", "after a serial part of 1 ms: from the fork to the last thread's begin"),
  ROW("serial-20ms", serial_20ms, "a region", "after a serial part of 20 ms: from the fork to the last thread's begin"),
  ROW("tasks-3us", tasks_3us, "a task of each", "one producer, tasks of 3 us"),
  ROW("uneven", uneven, "a loop", "dynamic, 4n chunks of 0.2 ms, the first one of 2 ms"),
  ROW("loops-nowait", loops_without_barrier, "a loop", "dynamic loops of 8n chunks of 200 ns in a row, without barriers"),
  ROW("critical-empty", critical_empty, "an entry", "critical sections with nothing inside, all threads at once"),
  ROW("critical-200ns", critical_200ns, "an entry", "critical sections of 200 ns, all threads at once"),
  ROW("critical-longest", critical_longest, "a wait", "the same: the longest wait of one thread"),
  ROW("triad", triad, "a sweep", "a[i] = b[i] + 3 c[i] on 3 MiB of each thread, which it has touched first"),
  ROW("sweeps", sweeps, "a sweep", "sweeps over 128 KiB of each thread, which read what neighbours have written"),
  ROW("idle", idle_workers, "a period", "processor time of all workers while the master computes for 1 ms between regions"),
  {0}};
