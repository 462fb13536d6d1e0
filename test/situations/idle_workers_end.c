/* After many native threads with one region each, only as many threads as processors stay where a master
   still lives, and none where no master does.  A worker that belongs to a team stays.  */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { MASTERS = 40 };
static pthread_barrier_t all_are_in;

static void *master(void *nothing)
{
#pragma omp parallel num_threads(4)
#pragma omp master
  pthread_barrier_wait(&all_are_in);
  return nothing;
}

static void burst(void)
{
  pthread_t threads[MASTERS];
  for (int i = 0; i < MASTERS; i++)
    if (pthread_create(&threads[i], NULL, master, NULL) != 0)
      exit(3);
  for (int i = 0; i < MASTERS; i++)
    pthread_join(threads[i], NULL);
}

static int region(int threads)
{
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum++;
  return sum;
}

static unsigned proc_threads(void)
{
  unsigned count = 0;
  DIR *folder = opendir("/proc/self/task");
  for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
    count += entry->d_name[0] != '.';
  closedir(folder);
  return count;
}

/* If this never returns, the test has failed.  */
static void wait_for(unsigned most)
{
  while (proc_threads() > most)
    sched_yield();
}

int main(void)
{
  unsigned processors = (unsigned)omp_get_num_procs();
  pthread_barrier_init(&all_are_in, NULL, MASTERS);
  burst(); /* the main thread itself has called the runtime only for the number above */
  wait_for(processors);
  if (region(8) != 8)
    return 1;
  burst();
  wait_for(8 + processors - 1);
  return region(8) == 8 && region(2) == 2 ? 0 : 2;
}
