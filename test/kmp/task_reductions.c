/* Reductions over tasks in Clang's code: of a taskgroup, nested, of a taskloop, of parallel and worksharing
   constructs with the task modifier; user-defined and of arrays; and in functions that only see the variable
   (5.2, 5.5.9, 5.5.10).  */
#include <omp.h>
#include <stdio.h>

struct pair {
  long sum, product;
};
static void join(struct pair *into, const struct pair *from)
{
  into->sum += from->sum;
  into->product *= from->product;
}
static void begin(struct pair *copy, const struct pair *original)
{
  *copy = (struct pair){0, original->product != 0};
}
#pragma omp declare reduction(both : struct pair : join(&omp_out, &omp_in)) initializer(begin(&omp_priv, &omp_orig))

static long tree(int depth)
{
  long sum = 1;
  if (depth == 0)
    return sum;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 3; i++) {
#pragma omp task in_reduction(+ : sum) firstprivate(depth)
    sum += tree(depth - 1);
  }
  return sum;
}

/* A function of its own knows only the variable.  */
static long total;

static void orphan(int value)
{
#pragma omp task in_reduction(+ : total) firstprivate(value)
  total += value;
}

static int arrays(void)
{
  long sums[4] = {1, 1, 1, 1};
  total = 1;
  struct pair pair = {1, 1};
  int n = 4 + (omp_get_num_threads() == 100); /* not a constant */
  long parts[n];
  for (int i = 0; i < n; i++)
    parts[i] = i;
#pragma omp taskgroup task_reduction(+ : total, sums[0 : 4]) task_reduction(both : pair) task_reduction(+ : parts[0 : n])
  {
    for (int i = 1; i <= 20; i++) {
      orphan(i);
#pragma omp task in_reduction(+ : sums[0 : 4]) firstprivate(i)
      for (int k = 0; k < 4; k++)
        sums[k] += i * (k + 1);
#pragma omp task in_reduction(both : pair) firstprivate(i)
      {
        pair.sum += i;
        pair.product *= i % 3 == 0 ? 2 : 1;
      }
#pragma omp task in_reduction(+ : parts[0 : n]) firstprivate(i)
      {
        parts[0] += i;
#pragma omp task in_reduction(+ : parts[0 : n])
        parts[n - 1]++;
#pragma omp taskwait
      }
    }
  }
  int good = pair.sum == 211 && pair.product == 64 && parts[0] == 210 && parts[n - 1] == n - 1 + 20 && total == 211;
  for (int i = 0; i < 4; i++)
    good &= sums[i] == 1 + 210 * (i + 1);
  return good;
}

static int loops(void)
{
  long sum = 0, all = 5, least = 1000;
#pragma omp taskloop reduction(+ : sum) num_tasks(9)
  for (int i = 0; i < 100; i++)
    sum += i;
#pragma omp taskgroup task_reduction(+ : all) task_reduction(min : least)
  {
#pragma omp taskloop in_reduction(+ : all) in_reduction(min : least) nogroup
    for (int i = 10; i < 100; i++) {
      all += i;
      least = i < least ? i : least;
    }
#pragma omp task in_reduction(+ : all)
    all += 7;
  }
  return sum == 4950 && all == 5 + 4950 - 45 + 7 && least == 10;
}

int main(void)
{
  for (int r = 0; r < 30; r++) {
    long t = 0, p = 3, w = 2, s = 0;
    int threads = 1 + r % 4, a = 0, l = 0;
#pragma omp parallel num_threads(threads) reduction(task, + : p)
    {
#pragma omp single
      t = tree(5);
      for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : p)
        p += i;
      }
      p += 100;
    }
#pragma omp parallel num_threads(threads)
    {
#pragma omp for reduction(task, + : w) schedule(dynamic, 2)
      for (int i = 0; i < 50; i++) {
        w++;
#pragma omp task in_reduction(+ : w)
        w += 2;
      }
#pragma omp sections reduction(task, + : s)
      {
#pragma omp section
#pragma omp task in_reduction(+ : s)
        s += 1;
#pragma omp section
        s += 10;
      }
#pragma omp single
      a = arrays();
#pragma omp single
      l = loops();
    }
    if (t != 364 || p != 3 + 145 * threads || w != 152 || s != 11 || !a || !l) {
      printf("round %d: tree %ld parallel %ld loop %ld sections %ld arrays %d taskloops %d\n", r, t, p, w, s, a, l);
      return 1;
    }
  }
  return 0;
}
