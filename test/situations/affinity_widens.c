/* A launcher has narrowed the process to its first processor, and GOMP_CPU_AFFINITY names all: GCC's code is bound to all, as
   with libgomp.  Processors that the system would not give are left out, and a message says so.
   gcc: LLVM's runtime keeps to the mask
   env: OMP_NUM_THREADS=2
   stderr: ^(ghcomp: GOMP_CPU_AFFINITY=0-8191: .*\n)?$ */
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count(const cpu_set_t *set)
{
  return CPU_COUNT(set);
}

/* The program starts itself again, with a narrower mask.  */
static int narrow(char *name)
{
  cpu_set_t all, first;
  char text[16];
  memset(&all, 0xff, sizeof all);
  sched_setaffinity(0, sizeof all, &all); /* all that the system gives */
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&first);
  for (int cpu = 0; count(&first) == 0; cpu++)
    if (CPU_ISSET(cpu, &all))
      CPU_SET(cpu, &first);
  sched_setaffinity(0, sizeof first, &first);
  snprintf(text, sizeof text, "%d", count(&all));
  setenv("GOMP_CPU_AFFINITY", "0-8191", 1);
  execl("/proc/self/exe", name, text, (char *)NULL);
  return 2;
}

int main(int argc, char **argv)
{
  if (argc == 1)
    return narrow(argv[0]);
  int all = atoi(argv[1]), expected = all < 2 ? all : 2, size = 0;
  cpu_set_t used;
  CPU_ZERO(&used);
#pragma omp parallel reduction(+ : size)
  {
    cpu_set_t mine;
    size++;
    sched_getaffinity(0, sizeof mine, &mine);
#pragma omp critical
    CPU_OR(&used, &used, &mine);
  }
  printf("%d threads on %d processors; %d places, %d processors, expected %d\n", size, count(&used), omp_get_num_places(),
         omp_get_num_procs(), all);
  return size != 2 || count(&used) != expected || omp_get_num_places() < all || omp_get_num_procs() != 1;
}
