/* KMP_ENABLE_TASK_THROTTLING=0: a thread that creates tasks executes none of them meanwhile, whatever their
   dependences and number.  With 1, which kmp_set_defaults sets for later teams, it executes some.
   env: KMP_ENABLE_TASK_THROTTLING=0 OMP_MAX_TASK_PRIORITY=1 */
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { N = 3000 };
static int wrong;

/* Tasks that had been executed when the last one was created; the other threads can execute none.  */
struct count {
  int executed, early, created;
};

static void body(struct count *c)
{
#pragma omp atomic
  c->executed++;
}

static void plain(struct count *c)
{
  for (int i = 0; i < N; i++)
#pragma omp task
    body(c);
}

static void with_priority(struct count *c)
{
  for (int i = 0; i < N; i++)
#pragma omp task priority(1)
    body(c);
}

static void in_chains(struct count *c)
{
  static char place[8];
  for (int i = 0; i < N; i++)
#pragma omp task depend(inout : place[i % 8])
    body(c);
}

static void of_a_loop(struct count *c)
{
#pragma omp taskloop grainsize(1) nogroup
  for (int i = 0; i < N; i++)
    body(c);
}

static void untied(struct count *c)
{
  for (int i = 0; i < N; i++)
#pragma omp task untied
    body(c);
}

static struct count in_team(int threads, void (*create)(struct count *))
{
  struct count c = {0};
#pragma omp parallel num_threads(threads) shared(c)
  {
    if (omp_get_thread_num() == 0) {
      create(&c);
      c.early = c.executed;
      __atomic_store_n(&c.created, 1, __ATOMIC_SEQ_CST);
    }
    while (!__atomic_load_n(&c.created, __ATOMIC_SEQ_CST))
      sched_yield();
  }
  return c;
}

/* Each kind twice in a row: the first must not change what the second does.  */
static void check(const char *what, void (*create)(struct count *), int threads, int throttles)
{
  for (int round = 0; round < 2; round++) {
    struct count c = in_team(threads, create);
    if (c.executed == N && (c.early != 0) == throttles)
      continue;
    printf("%s, %d threads: %d tasks executed, %d of them early; expected %d, %s\n", what, threads, c.executed, c.early, N,
           throttles ? "some" : "none");
    wrong = 1;
  }
}

static void check_all(int threads, int throttles)
{
  check("plain tasks", plain, threads, throttles);
  check("tasks with a priority", with_priority, threads, throttles);
  check("tasks in chains", in_chains, threads, throttles);
  check("tasks of a loop", of_a_loop, threads, throttles);
  check("untied tasks", untied, threads, throttles);
}

void kmp_set_defaults(char const *);

int main(void)
{
  check_all(2, 0);
  kmp_set_defaults("KMP_ENABLE_TASK_THROTTLING=1");
  check_all(3, 1);
  kmp_set_defaults("KMP_ENABLE_TASK_THROTTLING=no");
  check_all(2, 0);
  check_all(1, 1); /* no other thread would execute them */
  return wrong;
}
