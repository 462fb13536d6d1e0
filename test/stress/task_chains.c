/* Chains of tasks that create their successor and end.  Neither the stack nor the number of headers
   grows with the length: with one thread and more, with leaves beside the chain, with dependences,
   with bodies that need much stack, and with a small stack.
   env: OMP_STACKSIZE=1M OMP_SCHEDULE=dynamic,1
   wrap: ulimit -s 1024; %s */
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* ThreadSanitizer makes a task twenty times as long, and looks for races, which are in every link.  */
#ifdef __SANITIZE_THREAD__
enum { LINKS = 1000 };
#else
enum { LINKS = 30000 };
#endif
enum { LEAVES = 32 };

static int leaves;
static _Atomic long links, leaf_count;

static void leaf(void)
{
  leaf_count++;
}

static void plain(long i)
{
  links++;
  if (i < LINKS) {
#pragma omp task firstprivate(i)
    plain(i + 1);
  }
}

static void with_leaves(long i)
{
  volatile char local[8192];
  memset((void *)local, 1, sizeof local);
  links++;
  for (int k = 0; k < leaves; k++) {
#pragma omp task
    leaf();
  }
  if (i < LINKS) {
#pragma omp task firstprivate(i)
    with_leaves(i + local[i % sizeof local]);
  }
}

static void with_dependences(long i)
{
  static int at[LEAVES + 1];
  volatile char local[8192];
  memset((void *)local, 1, sizeof local);
  links++;
  for (int k = 0; k < leaves; k++) {
#pragma omp task depend(inout : at[k])
    leaf();
  }
  if (i < LINKS) {
#pragma omp task depend(inout : at[LEAVES]) firstprivate(i)
    with_dependences(i + local[i % sizeof local]);
  }
}

static void yielding(long i)
{
  links++;
  if (i < LINKS) {
#pragma omp task firstprivate(i)
    yielding(i + 1);
#pragma omp taskyield
  }
}

static void by_loops(long i)
{
  links++;
  if (i < LINKS) {
#pragma omp taskloop nogroup num_tasks(1) firstprivate(i)
    for (int k = 0; k < 1; k++)
      by_loops(i + 1);
  }
}

/* A task keeps the ICVs of its parent from the time of its creation, even if the parent is gone.  */
static void setting(long i)
{
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  if (chunk == i + 1)
    links++;
  omp_set_schedule(omp_sched_dynamic, i + 2);
  if (i < LINKS) {
#pragma omp task firstprivate(i)
    setting(i + 1);
    if (i % 3 == 0)
      omp_set_schedule(omp_sched_static, 7);
  }
}

static void prioritized(long i)
{
  links++;
  if (i < LINKS) {
#pragma omp task firstprivate(i) priority(i % 5)
    prioritized(i + 1);
  }
}

/* No region, no barrier: all tasks end before the first creation returns, or at the taskwait.  */
static void outside(void (*chain)(long))
{
  chain(0);
#pragma omp taskwait
}

static int right(const char *name, int threads, int expected_leaves)
{
  if (links == LINKS + 1 && leaf_count == (long)expected_leaves * (LINKS + 1))
    return 1;
  printf("%s, %d threads: %ld links, %ld leaves\n", name, threads, (long)links, (long)leaf_count);
  return 0;
}

static int run(const char *name, void (*chain)(long), int per_link)
{
  int ok = 1;
  leaves = per_link;
  for (int threads = 1; threads <= 4; threads++) {
    links = leaf_count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    chain(0);
    ok &= right(name, threads, per_link);
    links = leaf_count = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup
    chain(0);
    ok &= right(name, threads, per_link);
  }
  return ok;
}

int main(void)
{
  int ok = run("plain", plain, 0) & run("leaves", with_leaves, LEAVES) & run("one leaf", with_leaves, 1) &
           run("dependences", with_dependences, LEAVES) & run("yielding", yielding, 0) &
           run("loops", by_loops, 0) & run("settings", setting, 0) & run("priorities", prioritized, 0);
  links = leaf_count = leaves = 0;
  outside(plain);
  ok &= right("outside", 1, 0);
  return ok ? 0 : 1;
}
