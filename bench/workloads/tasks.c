/* Programs of many small tasks without a cut-off written by hand.  It shows whether each is faster on two threads
   than on one.  Every program checks its result.

   usage: tasks THREADS     prints "program: milliseconds..." lines */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 5 };

/* ---------------------------------------------------------------- recursive */

static long fib(int n)
{
  long x, y;
  if (n < 2)
    return n;
#pragma omp task shared(x)
  x = fib(n - 1);
#pragma omp task shared(y)
  y = fib(n - 2);
#pragma omp taskwait
  return x + y;
}

static int run_fib(void)
{
  return fib(27) == 196418;
}

/* Places queens row by row; creates a task for each free place.  */
static long queens(int size, int row, const char *columns)
{
  long found[16] = {0}, total = 0;
  if (row == size)
    return 1;
  for (int column = 0; column < size; column++) {
    int free = 1;
    for (int r = 0; r < row && free; r++)
      free = columns[r] != column && abs(columns[r] - column) != row - r;
    if (!free)
      continue;
#pragma omp task shared(found) firstprivate(column)
    {
      char mine[16];
      memcpy(mine, columns, (size_t)row);
      mine[row] = (char)column;
      found[column] = queens(size, row + 1, mine);
    }
  }
#pragma omp taskwait
  for (int column = 0; column < size; column++)
    total += found[column];
  return total;
}

static int run_queens(void)
{
  return queens(9, 0, "") == 352;
}

enum { SORTED = 1 << 18 };
static unsigned numbers[SORTED], buffer[SORTED];

static void sort(unsigned *from, unsigned *to, long count, int into)
{
  long half = count / 2;
  if (count == 1) {
    if (into)
      to[0] = from[0];
    return;
  }
#pragma omp task
  sort(from, to, half, !into);
#pragma omp task
  sort(from + half, to + half, count - half, !into);
#pragma omp taskwait
  unsigned *a = into ? from : to, *end_a = a + half, *b = a + half, *end_b = a + count;
  unsigned *out = into ? to : from;
  while (a < end_a && b < end_b)
    *out++ = *a <= *b ? *a++ : *b++;
  while (a < end_a)
    *out++ = *a++;
  while (b < end_b)
    *out++ = *b++;
}

static int run_sort(void)
{
  unsigned word = 1;
  for (int i = 0; i < SORTED; i++)
    numbers[i] = word = word * 1664525 + 1013904223;
  sort(numbers, buffer, SORTED, 0);
  for (int i = 1; i < SORTED; i++)
    if (numbers[i - 1] > numbers[i])
      return 0;
  return 1;
}

/* ----------------------------------------------------------------- irregular */

/* A tree whose shape a hash determines: most nodes have no children, some have eight.  */
static long tree(unsigned long seed, int depth)
{
  long below[8] = {0}, total = 1;
  unsigned long h = (seed ^ seed >> 31) * 0x9e3779b97f4a7c15;
  int children = depth > 24 ? 0 : depth < 3 ? 8 : (h >> 40) % 100 < 12 ? 8 : 0;
  for (int i = 0; i < children; i++) {
#pragma omp task shared(below) firstprivate(i)
    below[i] = tree(h * 31 + (unsigned long)i + 1, depth + 1);
  }
#pragma omp taskwait
  for (int i = 0; i < children; i++)
    total += below[i];
  return total;
}

static long tree_size;

static int run_tree(void)
{
  long size = 0;
  for (unsigned long k = 0; k < 40; k++)
    size += tree(k + 1, 0);
  if (tree_size == 0)
    tree_size = size; /* from the first run, on one thread */
  return size == tree_size && size > 40 * 585;
}

/* --------------------------------------------------------- producer, consumers */

enum { ITEMS = 100000 };

static int run_producer(void)
{
  static _Atomic long total;
  total = 0;
  for (int i = 0; i < ITEMS; i++) {
#pragma omp task firstprivate(i)
    {
      unsigned word = (unsigned)i;
      for (int k = 0; k < i % 400; k++)
        word = word * 1664525 + 1013904223;
      if (word != 0xffffffff) /* so that the compiler keeps the loop */
        total += 1;
    }
  }
#pragma omp taskwait
  return total == ITEMS;
}

/* ------------------------------------------------------------ dependence graph */

enum { BLOCKS = 60 };
static long cell[BLOCKS + 1][BLOCKS + 1];

/* A wavefront: each block waits for the blocks above it and on its left.  */
static int run_wavefront(void)
{
  memset(cell, 0, sizeof cell);
  cell[1][1] = 1;
  for (int i = 1; i <= BLOCKS; i++)
    for (int j = 1; j <= BLOCKS; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(inout : cell[i][j]) firstprivate(i, j)
      {
        unsigned word = 1;
        for (int k = 0; k < 1500; k++)
          word = word * 1664525 + 1013904223;
        cell[i][j] = (cell[i][j] + cell[i - 1][j] + cell[i][j - 1] + (word == 0)) % 1000003;
      }
    }
#pragma omp taskwait
  long above[BLOCKS + 1] = {0};
  for (int i = 1; i <= BLOCKS; i++)
    for (int j = 1; j <= BLOCKS; j++)
      above[j] = i == 1 && j == 1 ? 1 : (above[j] + above[j - 1]) % 1000003;
  return cell[BLOCKS][BLOCKS] == above[BLOCKS];
}

/* ------------------------------------------------------------------- measuring */

static const struct {
  const char *name;
  int (*run)(void);
} programs[] = {{"fib(27)", run_fib},           {"queens(9)", run_queens},
                {"merge sort", run_sort},       {"unbalanced tree", run_tree},
                {"producer", run_producer},     {"wavefront", run_wavefront}};

static double milliseconds(int (*run)(void), int threads)
{
  int right = 0;
  double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
#pragma omp single
  right = run();
  return right ? (omp_get_wtime() - start) * 1e3 : -1;
}

int main(int argc, char **argv)
{
  int threads = argc == 2 ? atoi(argv[1]) : 0;
  if (threads < 1) {
    fprintf(stderr, "usage: %s THREADS\n", argv[0]);
    return 2;
  }
  omp_set_dynamic(0);
  for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
    printf("%s:", programs[p].name);
    milliseconds(programs[p].run, threads);
    for (int i = 0; i < SAMPLES; i++) {
      double time = milliseconds(programs[p].run, threads);
      if (time < 0)
        printf(" wrong");
      else
        printf(" %.3f", time);
    }
    printf("\n");
    fflush(stdout);
  }
  return 0;
}
