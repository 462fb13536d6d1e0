/* A solver with the structure of NPB's BT and SP: each step computes a right-hand side in parts, and then implicit sweeps along
   x, y and z.  These are five regions of some tens of microseconds, with barriers in them.

   It solves du/dt = uxx + uyy + uzz in the unit cube, zero at its borders, by approximate factorization:
   (1 - dt Dxx)(1 - dt Dyy)(1 - dt Dzz) v = dt (Dxx + Dyy + Dzz) u;  u += v.
   Modes sin(a pi x) sin(b pi y) sin(c pi z) are eigenvectors of the whole step, which multiplies each by a known factor.  So the
   right values after the last step are known for two initial modes, and are compared in every cell.

   usage: solver WORKERS [KEY=NUMBER]...     prints rows in milliseconds

   cells=, steps=    the number of cells along each side, and of steps
   beside=           the number of other processes that compute meanwhile on the same processors
   mask=1            the program starts on one of its processors
   mask=2            all its threads are moved to one processor after a tenth of the steps; only the rest is timed */
#define _GNU_SOURCE
#include "busy.h"
#include "clocks.h"
#include "keys.h"

#include <dirent.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST_CELLS = 64, STARTS_ON_ONE = 1, MOVED_TO_ONE = 2 };

static long cells = 32, steps = 400, beside, mask;
static double r; /* dt / h^2 */
static double *u, *v;
static double upper[MOST_CELLS], pivot[MOST_CELLS]; /* of the tridiagonal systems, which are all equal */

static void fail(const char *what)
{
  fprintf(stderr, "solver: %s\n", what);
  exit(1);
}

static inline long at(long i, long j, long k)
{
  return (i * cells + j) * cells + k;
}

/* --------------------------------------------------------------------------- the equation */

static double sine(int mode, long i)
{
  return sin(M_PI * mode * (double)(i + 1) / (double)(cells + 1));
}

/* Two modes that differ along all axes.  */
static const struct mode {
  int x, y, z;
  double size;
} modes[] = {{1, 2, 3, 1.0}, {3, 1, 2, 0.5}};

/* dt times the eigenvalue of the second difference.  */
static double eigenvalue(int mode)
{
  double s = sin(M_PI * mode / (2.0 * (double)(cells + 1)));
  return -4 * r * s * s;
}

/* The factor by which a step multiplies the mode.  */
static double factor(const struct mode *m)
{
  double x = eigenvalue(m->x), y = eigenvalue(m->y), z = eigenvalue(m->z);
  return 1 + (x + y + z) / ((1 - x) * (1 - y) * (1 - z));
}

static double exact(long i, long j, long k, long after)
{
  double sum = 0;
  for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
    sum += modes[m].size * pow(factor(&modes[m]), (double)after) * sine(modes[m].x, i) * sine(modes[m].y, j) * sine(modes[m].z, k);
  return sum;
}

static void begin(void)
{
  double end_time = 0.02; /* the modes shrink, but not so far that rounding shows */
  r = end_time / (double)steps * (double)((cells + 1) * (cells + 1));
  for (long n = 0; n < cells; n++) {
    pivot[n] = 1 / (1 + 2 * r + (n > 0 ? r * upper[n - 1] : 0));
    upper[n] = -r * pivot[n];
  }
  for (long i = 0; i < cells; i++)
    for (long j = 0; j < cells; j++)
      for (long k = 0; k < cells; k++)
        u[at(i, j, k)] = exact(i, j, k, 0);
}

/* The largest difference from the right values, relative to the largest value.  */
static double error_after(long after)
{
  double error = 0, largest = 0;
  for (long i = 0; i < cells; i++)
    for (long j = 0; j < cells; j++)
      for (long k = 0; k < cells; k++) {
        double right = exact(i, j, k, after), difference = fabs(u[at(i, j, k)] - right);
        largest = fmax(largest, fabs(right));
        error = difference <= error ? error : difference; /* a NaN stays */
      }
  return error / largest;
}

/* --------------------------------------------------------------------------------- a step */

/* The second difference along one axis, for the cell with index `place` on it; its neighbours are `apart` away.  */
static inline double difference(long cell, long place, long apart)
{
  double below = place > 0 ? u[cell - apart] : 0, above = place + 1 < cells ? u[cell + apart] : 0;
  return r * (below - 2 * u[cell] + above);
}

static void right_hand_side(bool parallel)
{
#pragma omp parallel if (parallel)
  {
#pragma omp for
    for (long i = 0; i < cells; i++)
      for (long j = 0; j < cells; j++)
        for (long k = 0; k < cells; k++)
          v[at(i, j, k)] = difference(at(i, j, k), i, cells * cells);
#pragma omp for
    for (long i = 0; i < cells; i++)
      for (long j = 0; j < cells; j++)
        for (long k = 0; k < cells; k++)
          v[at(i, j, k)] += difference(at(i, j, k), j, cells);
#pragma omp for
    for (long i = 0; i < cells; i++)
      for (long j = 0; j < cells; j++)
        for (long k = 0; k < cells; k++)
          v[at(i, j, k)] += difference(at(i, j, k), k, 1);
  }
}

/* Elimination in one plane: its lines begin at `first` and are `next` apart; the cells of a line are `apart` apart.  */
static void solve_plane(long first, long next, long apart)
{
  for (long n = 0; n < cells; n++)
    for (long line = 0; line < cells; line++) {
      double *cell = v + first + line * next + n * apart;
      *cell = (*cell + (n > 0 ? r * cell[-apart] : 0)) * pivot[n];
    }
  for (long n = cells - 2; n >= 0; n--)
    for (long line = 0; line < cells; line++) {
      double *cell = v + first + line * next + n * apart;
      *cell -= upper[n] * cell[apart];
    }
}

/* A sweep over all planes, which are `planes` apart.  */
static void sweep(bool parallel, long planes, long next, long apart)
{
#pragma omp parallel for if (parallel)
  for (long plane = 0; plane < cells; plane++)
    solve_plane(plane * planes, next, apart);
}

static void add(bool parallel)
{
#pragma omp parallel for if (parallel)
  for (long cell = 0; cell < cells * cells * cells; cell++)
    u[cell] += v[cell];
}

static void step(bool parallel)
{
  right_hand_side(parallel);
  sweep(parallel, cells, 1, cells * cells);
  sweep(parallel, cells * cells, 1, cells);
  sweep(parallel, cells * cells, cells, 1);
  add(parallel);
}

/* ----------------------------------------------------------------- other load of the processors */

static void start_others(void)
{
  if (!busy_start(beside))
    fail("no process can be made");
}

/* The first processor that the program may use.  */
static cpu_set_t one_processor(void)
{
  cpu_set_t all, one;
  CPU_ZERO(&one);
  if (sched_getaffinity(0, sizeof all, &all) != 0)
    fail("the processors cannot be had");
  int first = 0;
  while (!CPU_ISSET(first, &all))
    first++;
  CPU_SET(first, &one);
  return one;
}

/* Moves all threads to one processor, as taskset --all-tasks or a container's new set of processors does.  */
static void move_to_one(void)
{
  cpu_set_t one = one_processor();
  DIR *tasks = opendir("/proc/self/task");
  if (tasks == NULL)
    fail("/proc/self/task cannot be read");
  for (struct dirent *entry = readdir(tasks); entry != NULL; entry = readdir(tasks))
    if (entry->d_name[0] != '.' && sched_setaffinity(atoi(entry->d_name), sizeof one, &one) != 0)
      fail("a thread cannot be moved");
  closedir(tasks);
}

/* Starts the program again, because the runtime has looked at the machine before main.  */
static void start_on_one(char **argv)
{
  cpu_set_t one = one_processor(), now;
  if (sched_getaffinity(0, sizeof now, &now) == 0 && CPU_EQUAL(&one, &now))
    return;
  if (sched_setaffinity(0, sizeof one, &one) != 0 || execv("/proc/self/exe", argv) != 0)
    fail("the program cannot be started on one processor");
}

/* ------------------------------------------------------------------------------------ rows */

static void check(long after)
{
  double error = error_after(after);
  if (error < 1e-9)
    return;
  fprintf(stderr, "solver: wrong: after %ld steps a cell is off by %g of the largest\n", after, error);
  exit(1);
}

static double serial_ms(void)
{
  double before = now_us();
  begin();
  for (long s = 0; s < steps; s++)
    step(false);
  double time = now_us() - before;
  check(steps);
  return time / 1e3;
}

static void run(double *times)
{
  double serial = serial_ms();
  long untimed = mask == MOVED_TO_ONE ? steps / 10 : 0;
  begin();
  start_others();
  for (long s = 0; s < untimed; s++)
    step(true);
  if (mask == MOVED_TO_ONE)
    move_to_one();
  double before = now_us(), used = processor_us();
  for (long s = untimed; s < steps; s++) {
    double start = now_us();
    step(true);
    times[s - untimed] = (now_us() - start) / 1e3;
  }
  double total = now_us() - before, processor = processor_us() - used;
  busy_stop();
  check(steps);
  long count = steps - untimed;
  sort_samples(times, count);
  printf("one thread alone: %.3f\n", serial * (double)count / (double)steps);
  printf("total: %.3f\nprocessor time: %.3f\n", total / 1e3, processor / 1e3);
  printf("step p50: %.4f\nstep p99: %.4f\n", times[count / 2], times[count * 99 / 100]);
}

int main(int argc, char **argv)
{
  const struct key keys[] = {{"cells", &cells}, {"steps", &steps}, {"beside", &beside}, {"mask", &mask}};
  long workers;
  if (!keys_read(keys, sizeof keys / sizeof *keys, argc, argv, &workers))
    return 2;
  if (cells < 4 || cells > MOST_CELLS || steps < 10 || beside > BUSY_MOST || mask > MOVED_TO_ONE) {
    fprintf(stderr, "solver: cells=%ld steps=%ld beside=%ld mask=%ld: expected 4 to %d cells, 10 steps at least, at most %d processes, and 0, 1 or 2\n",
            cells, steps, beside, mask, MOST_CELLS, BUSY_MOST);
    return 2;
  }
  if (mask == STARTS_ON_ONE)
    start_on_one(argv);
  size_t count = (size_t)(cells * cells * cells);
  u = calloc(count, sizeof *u);
  v = calloc(count, sizeof *v);
  double *times = calloc((size_t)steps, sizeof *times);
  if (u == NULL || v == NULL || times == NULL)
    fail("no memory");
  run(times);
  return 0;
}
