/* What is done under a restriction: works PART...   Each part prints the sizes of its teams and its results, which are the same
   with every runtime that has what it needs.  RESTRICT_EARLY restricts the process before its first region, RESTRICT_LATER after
   it; RESTRICT_CHILD restricts a forked child, which then does the parts.  */
#include "restrict.h"

#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>

enum { MASTERS = 3, REGIONS = 20, NUMBERS = 1000 };

static int team(int threads)
{
  int size = 0;
#pragma omp parallel num_threads(threads) reduction(+ : size)
  size++;
  return size;
}

static int usual_team(void)
{
  int size = 0;
#pragma omp parallel reduction(+ : size)
  size++;
  return size;
}

static void teams(void)
{
  int usual = usual_team();
  printf("teams %d %d %d %d %d", usual == omp_get_max_threads(), team(4), team(1), team(7), team(3));
  omp_set_max_active_levels(2);
  int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
  inner += team(2);
  printf(", nested %d\n", inner);
}

/* ------------------------------------------------------------------------ constructs */

#define LOOP(SCHEDULE, sum) _Pragma(SCHEDULE) for (int i = 0; i < NUMBERS; i++) sum += i

static long loops(void)
{
  long sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
    LOOP("omp for schedule(static)", sum);
    LOOP("omp for schedule(dynamic) nowait", sum);
    LOOP("omp for schedule(guided, 3)", sum);
  }
  return sum;
}

static int constructs(void)
{
  int once = 0, sections = 0, critical = 0, order = 0, in_order = 1, locked = 0, copied = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(3)
  {
    int from_one = 0;
#pragma omp single copyprivate(from_one)
    {
      once++;
      from_one = 5;
    }
#pragma omp sections reduction(+ : sections)
    {
      sections++;
#pragma omp section
      sections += 10;
#pragma omp section
      sections += 100;
    }
#pragma omp critical
    critical += 1 + from_one - 5;
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 40; i++)
#pragma omp ordered
      in_order &= order++ == i;
    omp_set_lock(&lock);
    locked++;
    omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp atomic
    copied += from_one;
  }
  omp_destroy_lock(&lock);
  return printf("constructs %ld %d %d %d %d %d %d\n", loops(), once, sections, critical, in_order, locked, copied);
}

/* ----------------------------------------------------------------------------- tasks */

static int fib(int n)
{
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = fib(n - 1);
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void tasks(void)
{
  int number = 0, chain = 0;
  long sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    number = fib(14);
    for (int i = 0; i < 30; i++)
#pragma omp task depend(inout : chain)
      chain = chain * 3 % 1001 + i;
#pragma omp taskgroup
    for (int i = 0; i < 50; i++)
#pragma omp task shared(sum)
#pragma omp atomic
      sum += i;
#pragma omp taskloop shared(sum) grainsize(7)
    for (int i = 0; i < 100; i++)
#pragma omp atomic
      sum += i;
  }
  printf("tasks %d %d %ld\n", number, chain, sum);
}

/* --------------------------------------------------------------------------- masters */

static void *start_regions(void *sum)
{
  for (int i = 0; i < REGIONS; i++)
    *(int *)sum += team(2);
  return sum;
}

static void masters(void)
{
  pthread_t threads[MASTERS];
  int sums[MASTERS] = {0}, made = 0;
  while (made < MASTERS && pthread_create(&threads[made], NULL, start_regions, &sums[made]) == 0)
    made++;
  if (made < MASTERS)
    fprintf(stderr, "works: no thread\n");
  printf("masters %d:", made);
  for (int i = 0; i < made; i++) {
    pthread_join(threads[i], NULL);
    printf(" %d", sums[i]);
  }
  printf("\n");
}

/* -------------------------------------------------------- what a program does besides */

static int wait_for(pid_t child)
{
  int status = -1;
  if (child < 0)
    fprintf(stderr, "works: no child\n");
  return child > 0 && waitpid(child, &status, 0) == child ? status : -1;
}

/* Libgomp has no workers in a child whose parent had some, and hangs.  */
static void forks(void)
{
  pid_t child = fork();
  if (child == 0)
    _exit(team(1) == 1 ? 0 : 1);
  printf("forks %x\n", (unsigned)wait_for(child));
}

static void forks_first(void)
{
  pid_t child = fork();
  if (child == 0)
    _exit(team(3) == 3 && team(2) == 2 ? 0 : 1);
  printf("forks_first %x\n", (unsigned)wait_for(child));
}

/* A program's own memory and threads.  */
static void rest(void)
{
  enum { SIZE = 4 << 20 };
  pthread_t thread;
  int sum = 0;
  char *memory = malloc(SIZE);
  if (memory != NULL)
    memset(memory, 1, SIZE);
  int error = pthread_create(&thread, NULL, start_regions, &sum);
  if (error == 0)
    pthread_join(thread, NULL);
  if (error != 0 || memory == NULL)
    fprintf(stderr, "works: no memory or thread\n");
  printf("rest %d %d %d\n", memory != NULL, error, sum);
  free(memory);
}

static void paused(void)
{
  printf("paused %d", omp_pause_resource_all(omp_pause_hard));
  printf(" %d\n", team(3));
}

static void do_part(const char *name)
{
  if (strcmp(name, "teams") == 0)
    teams();
  else if (strcmp(name, "constructs") == 0)
    constructs();
  else if (strcmp(name, "tasks") == 0)
    tasks();
  else if (strcmp(name, "masters") == 0)
    masters();
  else if (strcmp(name, "forks_first") == 0)
    forks_first();
  else if (strcmp(name, "forks") == 0)
    forks();
  else if (strcmp(name, "rest") == 0)
    rest();
  else if (strcmp(name, "paused") == 0)
    paused();
}

/* What has been printed is written in any case: the end of a part may be the end of the process.  */
static int do_parts(char **names)
{
  for (; *names != NULL; names++) {
    do_part(*names);
    fflush(stdout);
  }
  return 0;
}

static int in_child(const char *text, char **names)
{
  pid_t child = fork();
  if (child == 0) {
    restrict_process(text);
    _exit(do_parts(names));
  }
  int status = wait_for(child);
  if (WIFEXITED(status))
    return WEXITSTATUS(status);
  raise(WTERMSIG(status));
  return 1;
}

int main(int argc, char **argv)
{
  const char *later = getenv("RESTRICT_LATER"), *child = getenv("RESTRICT_CHILD");
  restrict_process(getenv("RESTRICT_EARLY"));
  if (later != NULL || child != NULL)
    team(2);
  if (child != NULL)
    return in_child(child, argv + 1);
  restrict_process(later);
  return argc > 1 ? do_parts(argv + 1) : 2;
}
