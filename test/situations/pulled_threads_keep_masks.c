/* Regions whose worker computes for longer, beside a thread of the program that computes.  The master, which is about to
   sleep, may keep the worker off a processor until it has served.  The master's affinity mask is always the one that the
   program gave it, and the worker has its own back in a later region.  Also in a child that is forked meanwhile.
   env: OMP_NUM_THREADS=2  */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGIONS = 2000, EVERY = 200, ITERATIONS = 60000 };

static cpu_set_t all;
static int wrong;
static _Atomic int ends;

static int has_all(void)
{
  cpu_set_t mask;
  return sched_getaffinity(0, sizeof mask, &mask) == 0 && CPU_EQUAL(&mask, &all);
}

static void check(void)
{
  if (!has_all())
    wrong = 1;
}

static void *compute(void *nothing)
{
  while (!ends)
    ;
  return nothing;
}

static void start_regions(int regions)
{
  for (int r = 0; r < regions; r++) {
#pragma omp parallel
    {
      if (omp_get_thread_num() == 0)
        check();
      else
        for (volatile int i = 0; i < ITERATIONS; i++)
          ;
    }
    check();
  }
}

static int worker_has_all(void)
{
  int has = 0;
  for (int r = 0; r < EVERY; r++) {
#pragma omp parallel
    if (omp_get_thread_num() == 1)
      has |= has_all();
  }
  return has;
}

/* The child's result is 0 if all its masks were right.  */
static int child(void)
{
  pid_t process = fork();
  int status = 1;
  if (process == 0) {
    start_regions(EVERY / 10);
    _exit(wrong);
  }
  return process < 0 || waitpid(process, &status, 0) != process || status != 0;
}

int main(void)
{
  pthread_t busy;
  if (sched_getaffinity(0, sizeof all, &all) != 0 || pthread_create(&busy, NULL, compute, NULL) != 0)
    return 2;
  for (int r = 0; r < REGIONS; r += EVERY) {
    start_regions(EVERY);
    wrong |= child();
  }
  ends = 1;
  pthread_join(busy, NULL);
  return wrong || !worker_has_all();
}
