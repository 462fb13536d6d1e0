/* Other processes compute on all processors, and four masters start regions.  Soon the masters' threads and their workers have
   short time slices; all members of a team have the same.  A forked child has the usual one.  When the processes have
   ended, masters get their usual slices again after some regions.  Nothing else of a thread's scheduling changes.
   env: OMP_NUM_THREADS=2 */
#include "../attributes.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MASTERS = 4, MOST_PROCESSES = 64, MOST_SECONDS = 60 };

static struct attributes usual;
static pid_t processes[MOST_PROCESSES];
static int process_count, wrong;

static void fail(const char *what)
{
  printf("%s\n", what);
  __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
}

static void start_processes(void)
{
  int count = 2 * omp_get_num_procs();
  while (process_count < count && process_count < MOST_PROCESSES) {
    pid_t child = fork();
    if (child < 0)
      exit(2);
    processes[process_count++] = child;
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      for (;;)
        __asm__ volatile("");
    }
  }
}

static void end_processes(void)
{
  for (int i = 0; i < process_count; i++) {
    kill(processes[i], SIGKILL);
    waitpid(processes[i], NULL, 0);
  }
}

/* Returns the slice of its members.  */
static uint64_t region(void)
{
  struct attributes of[2];
  memset(of, 0, sizeof of);
#pragma omp parallel
  {
    of[omp_get_thread_num()] = attributes();
    for (volatile int i = 0; i < 50000; i++)
      ;
  }
  for (int i = 0; i < 2; i++) {
    if (of[i].slice != of[0].slice)
      fail("members have different slices");
    if (of[i].policy != usual.policy || of[i].nice != usual.nice || of[i].flags != usual.flags)
      fail("more than the slice has changed");
  }
  return of[0].slice;
}

/* 0 when it has seen such regions.  */
static int regions_until(int are_short)
{
  time_t end = time(NULL) + MOST_SECONDS;
  while ((region() < usual.slice) != are_short)
    if (time(NULL) > end)
      return 1;
  return 0;
}

static void check_child(void)
{
  int status = -1;
  pid_t child = fork();
  if (child == 0)
    _exit(attributes().slice != usual.slice || region() != usual.slice);
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    fail("a forked child has not its usual slice");
}

static pthread_barrier_t all;

static void *master(void *number)
{
  if (regions_until(1))
    fail("no short slice beside other processes");
  pthread_barrier_wait(&all);
  if (number == NULL) {
    check_child();
    end_processes();
  }
  pthread_barrier_wait(&all);
  if (regions_until(0) || attributes().slice != usual.slice)
    fail("the usual slice does not return");
  return NULL;
}

int main(void)
{
  usual = attributes();
  if (usual.policy != SCHED_OTHER || usual.slice <= SHORT_SLICE) {
    printf("not tried: this system has no time slices for single threads, or the policy is another\n");
    return 0;
  }
  start_processes();
  pthread_t masters[MASTERS];
  pthread_barrier_init(&all, NULL, MASTERS);
  for (intptr_t i = 0; i < MASTERS; i++)
    if (pthread_create(&masters[i], NULL, master, (void *)i) != 0)
      exit(2);
  for (int i = 0; i < MASTERS; i++)
    pthread_join(masters[i], NULL);
  return wrong;
}
