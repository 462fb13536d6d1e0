/* Stops where a backtrace must be complete: in the master, a worker, a task and a nested region.  Each call
   of stop_here says where.  */
#include <omp.h>
#include <pthread.h>

__attribute__((noinline)) void stop_here(const char *where)
{
  __asm__ volatile("" : : "r"(where) : "memory");
}

__attribute__((noinline)) static void leaf(const char *where)
{
  stop_here(where);
  __asm__ volatile("");
}

/* Thread 1 of a team of two stops first, then thread 0.  */
__attribute__((noinline)) static void region(void)
{
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1)
      leaf("worker");
#pragma omp barrier
    if (omp_get_thread_num() == 0)
      leaf("master");
  }
}

__attribute__((noinline)) static void barrier_task(void)
{
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    for (int i = 0; i < 4; i++) {
#pragma omp task
      leaf("task");
    }
#pragma omp barrier
  }
}

__attribute__((noinline)) static void child_task(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task if (0)
    {
#pragma omp task
      leaf("child");
#pragma omp taskwait
    }
  }
}

__attribute__((noinline)) static void nested(void)
{
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1)
      leaf("nested");
  }
}

__attribute__((noinline)) static void loops(void)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads(2)
  for (int i = 0; i < 2; i++)
    leaf("loop");
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(1)
  for (int i = 0; i < 2; i++)
    leaf("taskloop");
}

static void *of_another_master(void *nothing)
{
  region();
  return nothing;
}

int main(void)
{
  pthread_t other;
  omp_set_max_active_levels(2);
  region();
  barrier_task();
  child_task();
  nested();
  loops();
  pthread_create(&other, NULL, of_another_master, NULL);
  pthread_join(other, NULL);
  leaf("end");
  return 0;
}
