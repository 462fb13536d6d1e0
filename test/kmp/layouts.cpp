/* What Clang's code and the runtime must agree on, as witness.c sees it between them, and the results.
   env: OMP_MAX_TASK_PRIORITY=10
   link: -x c test/abi/witness.c -x none -ldl */
extern "C" {
#include "../abi/witness.h"
}
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <omp.h>

static std::atomic<int> alive{0}, wrong{0};

struct object {
  long value;
  explicit object(long v) : value(v) { alive++; }
  object(const object &other) : value(other.value) { alive++; }
  ~object() { alive--; }
};

static void tasks()
{
  long in = 3, inout = 0;
  object one(41);
  char odd[13] = "twelve bytes"; /* the private data's size is no multiple of 8 */
  witness_expects(&in, &inout);
  for (int i = 0; i < 100; i++) {
#pragma omp task firstprivate(one, odd) shared(inout, in) priority(7) depend(in : in) depend(inout : inout)
    {
      inout += one.value + in;
      wrong += odd[11] != 's';
    }
  }
#pragma omp taskwait
  wrong += inout != 100 * (41 + 3);
}

static void taskloops()
{
  static int hits[100];
  long sum = 0, product = 0;
  object one(7);
#pragma omp taskloop firstprivate(one) shared(hits)
  for (int i = 0; i < 100; i++)
    hits[i] += one.value == 7;
#pragma omp taskloop grainsize(3) firstprivate(one)
  for (long i = 0; i < 100; i++)
    hits[i] += one.value == 7;
  for (int i = 0; i < 100; i++)
    wrong += hits[i] != 2;
#pragma omp taskloop reduction(+ : sum, product)
  for (int i = 0; i < 100; i++)
    sum += i, product += 2 * i;
  wrong += sum != 4950 || product != 9900;
}

int main()
{
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    tasks();
    taskloops();
  }
  if (wrong != 0 || alive != 0)
    std::printf("%d results are wrong, %d objects are left\n", wrong.load(), alive.load());
  return witness_ends(WITNESS_ALL) || wrong != 0 || alive != 0;
}
