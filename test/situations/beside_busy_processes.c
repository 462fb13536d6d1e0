/* Other processes compute on all processors, and four masters start regions.  A region that waited for another one would wait
   for the system's time slices.  No region does.
   env: OMP_NUM_THREADS=2 GHCOMP_STATS=1
   stderr: turns_waited +[1-4]?[0-9]?[0-9]  */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MASTERS = 4, REGIONS = 400, MOST_PROCESSES = 64 };

static pid_t processes[MOST_PROCESSES];

static int start_processes(void)
{
  int count = 2 * omp_get_num_procs();
  count = count < MOST_PROCESSES ? count : MOST_PROCESSES;
  for (int i = 0; i < count; i++) {
    processes[i] = fork();
    if (processes[i] < 0)
      return -1;
    if (processes[i] == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;)
        __asm__ volatile("");
    }
  }
  return count;
}

static void *start_regions(void *wrong)
{
  for (int r = 0; r < REGIONS; r++) {
    int members = 0;
#pragma omp parallel reduction(+ : members)
    {
      for (volatile int i = 0; i < 50000; i++)
        ;
      members++;
    }
    if (members != 2)
      __atomic_store_n((int *)wrong, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

int main(void)
{
  int wrong = 0, count = start_processes();
  pthread_t masters[MASTERS];
  for (int i = 0; i < MASTERS && count >= 0; i++)
    if (pthread_create(&masters[i], NULL, start_regions, &wrong) != 0)
      exit(2);
  for (int i = 0; i < MASTERS && count >= 0; i++)
    pthread_join(masters[i], NULL);
  for (int i = 0; i < count; i++) {
    kill(processes[i], SIGKILL);
    waitpid(processes[i], NULL, 0);
  }
  return count < 0 ? 2 : wrong;
}
