/* num_threads(a, b, ...) by direct call, because no Clang emits it yet.  Levels below the list keep its last number
   and ignore OMP_NUM_THREADS; after the region the list of the environment holds again.
   env: OMP_NUM_THREADS=2,3,4,3 OMP_MAX_ACTIVE_LEVELS=4 */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

int32_t __kmpc_global_thread_num(void *);
__attribute__((weak)) void __kmpc_push_num_threads_list(void *, int32_t, uint32_t, int32_t *);

enum { LEVELS = 4 };
static int sizes[LEVELS + 1], wrong;

static void next(int32_t *list, unsigned count)
{
  __kmpc_push_num_threads_list(NULL, __kmpc_global_thread_num(NULL), count, list);
}

/* The list for the region that starts at inner_level; NULL: none.  */
static int32_t *inner;
static unsigned inner_level, inner_count;

static void go_down(int level)
{
  if (level == (int)inner_level && inner != NULL)
    next(inner, inner_count);
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
      sizes[level] = omp_get_num_threads();
      if (level < LEVELS)
        go_down(level + 1);
    }
  }
}

static void expect(const char *what, int a, int b, int c, int d)
{
  go_down(1);
  if (sizes[1] == a && sizes[2] == b && sizes[3] == c && sizes[4] == d)
    return;
  printf("%s: %d %d %d %d threads, expected %d %d %d %d\n", what, sizes[1], sizes[2], sizes[3], sizes[4], a, b, c, d);
  wrong = 1;
}

int main(void)
{
  int32_t two[] = {3, 2}, one[] = {1}, long_one[] = {1, 2, 1, 2, 7, 9}, inside[] = {2, 1};
  if (__kmpc_push_num_threads_list == NULL)
    return 0; /* the library under test is older than this call */
  expect("the environment's list", 2, 3, 4, 3);
  next(two, 2);
  expect("two numbers", 3, 2, 2, 2);
  expect("afterwards", 2, 3, 4, 3);
  next(one, 1);
  expect("one number is a clause without a list", 1, 3, 4, 3);
  next(long_one, 6);
  expect("more numbers than levels", 1, 2, 1, 2);
  inner = inside, inner_level = 3, inner_count = 2;
  expect("a list inside", 2, 3, 2, 1);
  next(two, 2);
  expect("a list inside another's", 3, 2, 2, 1);
  inner = NULL;
  expect("at the end", 2, 3, 4, 3);
  return wrong;
}
