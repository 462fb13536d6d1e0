/* Every kind of construct, with results that hold for teams of every size.  A program may rely on
   them even if no threads can be created.  Runs in one thread, then in several.
   env: OMP_CANCELLATION=true OMP_MAX_ACTIVE_LEVELS=3 OMP_MAX_TASK_PRIORITY=5 */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 200, ROUNDS = 12, MASTERS = 3 };

static int loops(void)
{
  long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
#pragma omp parallel num_threads(4) reduction(+ : a, b, c, d, e, f)
  {
#pragma omp for schedule(static, 3) nowait
    for (int i = 0; i < N; i++)
      a += i;
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < N; i++)
      b += i;
#pragma omp for schedule(monotonic : dynamic, 2) nowait
    for (int i = 0; i < N; i++)
      c += i;
#pragma omp for schedule(guided)
    for (unsigned long long i = 0; i < N; i++)
      d += (long)i;
#pragma omp for schedule(nonmonotonic : dynamic, 5)
    for (int i = N; i > 0; i--)
      e += i - 1;
#pragma omp for schedule(runtime)
    for (int i = 0; i < N; i++)
      f += i;
  }
  long right = (long)N * (N - 1) / 2;
  return a == right && b == right && c == right && d == right && e == right && f == right;
}

static int nowait_constructs(void)
{
  int singles = 0, sections = 0;
#pragma omp parallel num_threads(3) reduction(+ : singles, sections)
  for (int i = 0; i < 40; i++) {
#pragma omp single nowait
    singles++;
#pragma omp sections nowait
    {
#pragma omp section
      sections++;
#pragma omp section
      sections++;
    }
  }
  return singles == 40 && sections == 80;
}

static int ordered(void)
{
  int at = 0, wrong = 0, line[N] = {0};
#pragma omp parallel for ordered schedule(dynamic, 2) num_threads(4)
  for (int i = 0; i < N; i++) {
#pragma omp ordered
    wrong += at++ != i;
  }
#pragma omp parallel for ordered(1) num_threads(4)
  for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
    line[i] = line[i - 1] + 1;
#pragma omp ordered depend(source)
  }
  return wrong == 0 && line[N - 1] == N - 1;
}

static int copied(void)
{
  int wrong = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
  for (int i = 0; i < 10; i++) {
    int value = -1;
#pragma omp single copyprivate(value)
    value = i;
    wrong += value != i;
  }
  return wrong == 0;
}

static int fib(int n)
{
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static int tasks(void)
{
  int value = 0, wrong = 0, done = 0, sum = 0, result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    result = fib(9);
    for (int i = 1; i <= 30; i++) {
#pragma omp task depend(inout : value) shared(value)
      value++;
#pragma omp task depend(in : value) shared(value, wrong) firstprivate(i)
      if (value != i) {
#pragma omp atomic
        wrong++;
      }
    }
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(+ : sum) priority(i % 4)
      sum += i;
    }
#pragma omp taskloop grainsize(3) shared(done)
    for (int i = 0; i < 50; i++) {
#pragma omp atomic
      done++;
    }
    for (int i = 0; i < 20; i++) {
      char block[300] = {0};
      block[i] = 1;
#pragma omp task firstprivate(block) shared(done)
      {
#pragma omp atomic
        done += block[i];
      }
    }
  }
  return result == 34 && value == 30 && wrong == 0 && sum == 435 && done == 70;
}

static int events(void)
{
  int after = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 5; i++) {
    omp_event_handle_t event;
    static int x;
#pragma omp task detach(event) depend(out : x)
    __asm__("");
#pragma omp task depend(in : x) shared(after)
    {
#pragma omp atomic
      after++;
    }
    omp_fulfill_event(event);
#pragma omp taskwait
  }
  return after == 5;
}

static int cancelled(void)
{
  int late = 0, found = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) {
      if (i == 3) {
#pragma omp atomic write
        found = 1;
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
#pragma omp cancel parallel
#pragma omp atomic
    late++;
  }
  return late == 0 && found == 1;
}

static int nested(void)
{
  int leaves = 0, teams = 0, sizes = 0;
#pragma omp parallel num_threads(3) reduction(+ : leaves, teams, sizes)
  {
    teams++;
    int size = 0;
#pragma omp parallel num_threads(2) reduction(+ : leaves, size)
    {
      leaves++;
      size++;
#pragma omp barrier
#pragma omp parallel for num_threads(2) reduction(+ : leaves)
      for (int i = 0; i < 4; i++)
        leaves += 100;
    }
    sizes += size;
  }
  return teams >= 1 && leaves == sizes + sizes * 400;
}

static int reduced(void)
{
  int sum = 0, other = 0;
#pragma omp parallel num_threads(4) reduction(task, + : other)
  {
#pragma omp for reduction(task, + : sum)
    for (int i = 0; i < 20; i++) {
#pragma omp task in_reduction(+ : sum)
      sum += 1;
    }
#pragma omp single
#pragma omp task in_reduction(+ : other)
    other += 7;
  }
  return sum == 20 && other == 7;
}

static int locks(void)
{
  omp_nest_lock_t lock;
  int count = 0, ours = 0;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(4) reduction(+ : ours)
  for (int i = 0; i < 20; i++) {
    omp_set_nest_lock(&lock);
    omp_set_nest_lock(&lock);
    count++;
    ours++;
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
#pragma omp critical(any_size)
    ours += 0;
  }
  omp_destroy_nest_lock(&lock);
  return count == ours;
}

static int leagues(void)
{
  int sum = 0, target = 0;
#pragma omp teams num_teams(2) thread_limit(3) reduction(+ : sum)
#pragma omp distribute parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    sum += i;
#pragma omp target map(tofrom : target) firstprivate(sum)
  target = sum;
  return target == N * (N - 1) / 2;
}

/* Allocations of the program may fail.  */
static int memory(void)
{
  int wrong = 0;
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
#pragma omp parallel num_threads(3) reduction(+ : wrong)
  {
    omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 2, traits);
    for (size_t size = 1; size < 3000; size *= 3) {
      char *block = omp_alloc(size, own), *other = omp_calloc(size, 2, omp_default_mem_alloc);
      if (other != NULL)
        wrong += other[size] != 0;
      char *more = block != NULL ? omp_realloc(block, size * 2, own, own) : NULL;
      omp_free(more != NULL ? more : block, omp_null_allocator);
      omp_free(other, omp_null_allocator);
    }
    if (own != omp_null_allocator)
      omp_destroy_allocator(own);
  }
  return wrong == 0;
}

static int settings(void)
{
  int wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
  {
    omp_set_num_threads(2);
    omp_set_schedule(omp_sched_dynamic, 4);
    char text[64];
    omp_capture_affinity(text, sizeof text, "%n %N");
    wrong += omp_get_max_threads() != 2;
  }
  return wrong == 0;
}

static int (*const all[])(void) = {loops, nowait_constructs, ordered, copied, tasks, events, cancelled,
                                   nested, reduced, locks, memory, settings};

static void *master(void *which)
{
  for (unsigned r = 0; r < ROUNDS; r++)
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
      if (!all[(i + (uintptr_t)which) % (sizeof all / sizeof *all)]()) {
        fprintf(stdout, "function %u, round %u\n", i, r);
        exit(1);
      }
  return NULL;
}

int main(void)
{
  pthread_t threads[MASTERS];
  master(NULL);
  for (uintptr_t i = 0; i < MASTERS; i++)
    if (pthread_create(&threads[i], NULL, master, (void *)(i * 3)) != 0)
      return 2;
  if (!leagues())
    return 3;
  for (int i = 0; i < MASTERS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
