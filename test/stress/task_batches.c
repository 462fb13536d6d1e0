/* Teams so large that thieves take several tasks at once: each task is executed once, while its creator creates many, waits for few or for
   many of them, and takes them itself.  More threads than processors, so thieves lose their processor in the middle.
   env: OMP_CANCELLATION=true */
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4096 };

/* ThreadSanitizer makes a task twenty times as long.  */
#ifdef __SANITIZE_THREAD__
enum { ROUNDS = 4 };
#else
enum { ROUNDS = 60 };
#endif

static unsigned char executed[MOST];
static _Atomic int at[MOST];
static long total;

static void body(int i)
{
  executed[i]++; /* a task that two threads execute at once is also a race */
}

static void expect_each_once(int count, const char *name, int threads)
{
  for (int i = 0; i < count; i++)
    if (executed[i] != 1) {
      printf("%s, %d threads: task %d was executed %d times\n", name, threads, i, executed[i]);
      total++;
    }
  memset(executed, 0, sizeof executed);
}

static void create(int from, int count)
{
  for (int i = from; i < from + count; i++) {
#pragma omp task firstprivate(i)
    body(i);
  }
}

static void at_barrier(void)
{
#pragma omp single
  create(0, 2000);
}

static void at_join(void)
{
#pragma omp single nowait
  create(0, 2000);
}

/* The creator comes down to the last tasks again and again, where it competes with thieves.  */
static void waited_for(void)
{
#pragma omp single
  for (int i = 0; i < 2000; i += 40) {
    create(i, 40 - i % 23);
#pragma omp taskwait
    create(i + 40 - i % 23, i % 23);
  }
}

static void in_groups(void)
{
#pragma omp single
  for (int i = 0; i < 2000; i += 25) {
#pragma omp taskgroup
    create(i, 25);
  }
}

static void all_create(void)
{
  int n = omp_get_num_threads(), each = 2000 / n, me = omp_get_thread_num();
  create(me * each, me == n - 1 ? 2000 - me * each : each);
}

static void halve(int from, int count)
{
  if (count < 4) {
    for (int i = 0; i < count; i++)
      body(from + i);
    return;
  }
  for (int part = 0; part < 4; part++) {
    int first = count * part / 4, last = count * (part + 1) / 4;
#pragma omp task
    halve(from + first, last - first);
  }
  if (count % 3 == 0) {
#pragma omp taskwait
  }
}

static void tree(void)
{
#pragma omp single nowait
  halve(0, 2000);
}

static void depend(void)
{
#pragma omp single
  for (int i = 0; i < 2000; i++) {
#pragma omp task depend(inout : at[i % 50])
    body(i);
  }
}

struct pattern {
  const char *name;
  void (*run)(void);
};

static const struct pattern patterns[] = {{"barrier", at_barrier}, {"join", at_join}, {"taskwait", waited_for}, {"groups", in_groups},
                                          {"all create", all_create}, {"tree", tree}, {"depend", depend}};

/* Tasks that are cancelled before they begin are taken, too.  */
static void cancelled(int threads)
{
  static _Atomic int begun;
  begun = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 500; i++) {
#pragma omp task
    {
      if (++begun == 20) {
#pragma omp cancel taskgroup
      }
    }
  }
  if (begun < 20 || begun > 500) {
    printf("cancelled, %d threads: %d tasks have begun\n", threads, begun);
    total++;
  }
}

int main(void)
{
  static const int sizes[] = {17, 24, 48};
  omp_set_dynamic(0);
  for (int round = 0; round < ROUNDS && total == 0; round++)
    for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++) {
      int threads = sizes[(round + p) % 3];
#pragma omp parallel num_threads(threads)
      patterns[p].run();
      expect_each_once(2000, patterns[p].name, threads);
      cancelled(threads);
    }
  return total == 0 ? 0 : 1;
}
