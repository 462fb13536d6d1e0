/* KMP_HIDDEN_HELPER_AFFINITY: a task for a device is executed where the helper of its number is bound, a nested one
   too, and the thread may run where it could before when the task has ended.  LIBOMP_NUM_HIDDEN_HELPER_THREADS=3: the
   numbers are 2, 3 and 4, and those of threads begin at 5.  `verbose` names each helper once, and each thread.
   env: LIBOMP_NUM_HIDDEN_HELPER_THREADS=3 KMP_HIDDEN_HELPER_AFFINITY=verbose,granularity=fine,compact KMP_AFFINITY=verbose */
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST = 2, LAST = 4, TASKS = 40, DEPTH = LAST - FIRST + 2 };
struct block {
  void *shareds;
  int32_t (*routine)(int32_t, struct block *);
  int32_t part;
  void *data1, *data2;
};
struct block *__kmpc_omp_target_task_alloc(void *, int32_t, int32_t, size_t, size_t,
                                           int32_t (*)(int32_t, struct block *), int64_t);
int32_t __kmpc_omp_task(void *, int32_t, struct block *);
int32_t __kmpc_global_thread_num(void *);

static cpu_set_t at_first;
static int processors[CPU_SETSIZE], count, wrong, bodies, depth, used[LAST + 1];

static void check(int good, const char *what)
{
  if (!good) {
    printf("%s\n", what);
#pragma omp atomic write
    wrong = 1;
  }
}

static cpu_set_t mask(void)
{
  cpu_set_t now;
  sched_getaffinity(0, sizeof now, &now);
  return now;
}

static int is_as_at_first(void)
{
  cpu_set_t now = mask();
  return CPU_EQUAL(&now, &at_first);
}

static int is_at_home(int number)
{
  cpu_set_t now = mask();
  return CPU_COUNT(&now) == 1 && CPU_ISSET(processors[(number - FIRST) % count], &now);
}

static void make_task(int32_t (*routine)(int32_t, struct block *))
{
  int32_t own = __kmpc_global_thread_num(NULL);
  __kmpc_omp_task(NULL, own, __kmpc_omp_target_task_alloc(NULL, own, 1, sizeof(struct block), 0, routine, -1));
}

/* One of four at a time has its thread's number, and is not bound.  */
static int32_t body(int32_t number, struct block *block)
{
  (void)block;
  if (number >= FIRST && number <= LAST) {
    check(is_at_home(number), "not where its helper is bound");
#pragma omp atomic write
    used[number] = 1;
  } else {
    check(is_as_at_first(), "bound without a helper's number");
    check(number == 0 || number > LAST, "a number that nobody has");
  }
#pragma omp atomic
  bodies++;
  return 0;
}

/* The last one finds no number, and is where the one around it is.  */
static int32_t nested(int32_t number, struct block *block)
{
  (void)block;
  int mine = ++depth;
  check(mine < DEPTH ? is_at_home(number) : number == 0, "nested: not where its helper is bound");
  if (mine < DEPTH) {
    make_task(nested);
#pragma omp taskwait
    check(is_at_home(number), "not at home after a nested task");
  }
  return 0;
}

/* How often the text is in the file.  */
static int times(const char *path, const char *wanted)
{
  static char text[1 << 16];
  FILE *file = fopen(path, "r");
  size_t length = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
  text[length] = '\0';
  if (file != NULL)
    fclose(file);
  int found = 0;
  for (const char *p = text; (p = strstr(p, wanted)) != NULL; p++)
    found++;
  return found;
}

static void check_said(const char *path)
{
  char line[200];
  for (int number = FIRST; number <= LAST; number++) {
    snprintf(line, sizeof line, " thread %d bound to OS proc set %d\n", number, processors[(number - FIRST) % count]);
    check(used[number] && times(path, line) == 1, "a helper is not named once");
  }
  check(times(path, "OMP: Info #254: KMP_HIDDEN_HELPER_AFFINITY: pid ") == LAST - FIRST + 1, "other helpers are named");
  snprintf(line, sizeof line, "OMP: Info #254: KMP_AFFINITY: pid %d tid %d thread 0 bound to OS proc set ", getpid(), getpid());
  check(times(path, line) == 1, "the first thread is not named once");
  for (int thread = 1; thread < 4; thread++) {
    snprintf(line, sizeof line, " thread %d bound to OS proc set ", LAST + thread);
    check(times(path, line) == 1, "a worker is not named once");
  }
  snprintf(line, sizeof line, "OMP: Info #157: KMP_AFFINITY: %d available OS procs\n", count);
  check(times(path, line) == 1, "the machine is not named once");
  check(times(path, "Threads may migrate") == 0, "fine granularity leaves nothing open");
}

static void run_all(void)
{
  at_first = mask();
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &at_first))
      processors[count++] = cpu;
#pragma omp parallel num_threads(4)
  {
    for (int i = 0; i < TASKS; i++)
      make_task(body);
#pragma omp barrier
    check(is_as_at_first(), "bound after tasks");
  }
  check(bodies == 4 * TASKS, "tasks are missing");
  make_task(nested);
#pragma omp taskwait
  check(depth == DEPTH && is_as_at_first(), "bound after nested tasks");
}

/* The program starts itself again, with a file as standard error: the runtime writes before main.  */
int main(int argc, char **argv)
{
  if (argc > 1) {
    run_all();
    check_said(argv[1]);
    return wrong;
  }
  char path[] = "/tmp/ghcomp-helper-places-XXXXXX";
  int file = mkstemp(path), status = -1;
  pid_t child = fork();
  if (child == 0) {
    dup2(file, STDERR_FILENO);
    execl("/proc/self/exe", argv[0], path, (char *)NULL);
    _exit(2);
  }
  check(child > 0 && waitpid(child, &status, 0) == child && status == 0, "the inner program failed");
  unlink(path);
  return wrong;
}
