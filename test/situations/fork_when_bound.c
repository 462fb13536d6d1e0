/* A process forks children from threads that are bound to places: they have the mask that the process had at its start, not one
   processor all together.  A child that starts a region of several threads is bound there.  A mask that the program has set
   itself stays.
   env: OMP_NUM_THREADS=2 OMP_PROC_BIND=true */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int at_start;
static cpu_set_t all;

/* Before the runtime is loaded.  */
static void look(void)
{
  sched_getaffinity(0, sizeof all, &all);
  at_start = CPU_COUNT(&all);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = look;

static int processors(void)
{
  cpu_set_t mask;
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : -1;
}

static int team_size(void)
{
  int size = 0;
#pragma omp parallel reduction(+ : size)
  size++;
  return size;
}

/* Processors of a forked child's mask, or more if something is wrong in it.  */
static int in_child(void)
{
  int status;
  pid_t child = fork();
  if (child == 0) {
    int before = processors();
    _exit(team_size() == 2 && processors() == omp_get_place_num_procs(0) ? before : 255);
  }
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 254;
}

int main(void)
{
#ifdef __clang__
  team_size(); /* in Clang's code a thread is bound from its first region on */
#endif
  int parent = processors(), wrong = parent != omp_get_place_num_procs(0);
  wrong += in_child() != at_start; /* the first thread, before a region */
  wrong += team_size() != 2;
  wrong += in_child() != at_start;
#pragma omp parallel reduction(+ : wrong)
  {
    for (int i = 0; i < omp_get_num_threads(); i++) {
      if (i == omp_get_thread_num()) { /* of any member */
        int status;
        pid_t child = fork();
        if (child == 0)
          _exit(processors());
        wrong += child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != at_start;
      }
#pragma omp barrier
    }
  }
  wrong += processors() != parent;
  if (at_start > 1) { /* one that is not its place */
    cpu_set_t last;
    CPU_ZERO(&last);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
      if (CPU_ISSET(cpu, &all)) {
        CPU_ZERO(&last);
        CPU_SET(cpu, &last);
      }
    sched_setaffinity(0, sizeof last, &last);
    int status;
    pid_t child = fork();
    if (child == 0) {
      cpu_set_t mask;
      sched_getaffinity(0, sizeof mask, &mask);
      _exit(!CPU_EQUAL(&mask, &last));
    }
    wrong += child < 0 || waitpid(child, &status, 0) != child || status != 0;
  }
  printf("%d processors at the start, %d in the parent, wrong: %d\n", at_start, parent, wrong);
  return wrong != 0;
}
