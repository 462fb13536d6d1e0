/* Reaches a state in which each kind of wait that the gdb commands distinguish occurs once, always the
   same; then gdb stops it where the last thread begins to wait for its turn.

   team 1   of "first": thread 2 holds both locks, and is at a barrier; thread 1 runs a task there, which
            waits for a lock; thread 0 waits for that task, and for one that depends on it
   team 2   of "second": thread 0 has created two tasks in a critical section; thread 1 waits for the section
   team 3   of team 2's thread 0: waits for the nestable lock; its other thread has finished its part
   "third"  asks in the same place as "second" before it, whose region is team 2; so it waits for a turn of that
            library's calls, after its first question, which tries whether there is a lock

   Each step begins when the previous one is complete, so all numbers are the same each time.  */
#define _GNU_SOURCE
#include <dirent.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum step { BEGINS, LOCKED, TASK_RUNS, FIRST_IN_PLACE, IN_CRITICAL, SECOND_IN_PLACE };
static enum step step;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
_Atomic int all_in_place; /* gdb reads it */

static void reach(enum step reached)
{
  pthread_mutex_lock(&lock);
  step = reached;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

static void wait_for(enum step wanted)
{
  pthread_mutex_lock(&lock);
  while (step < wanted)
    pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
}

/* How often the other threads together have gone to sleep, if all of them sleep now; otherwise -1.  */
static long sleeps_of_others(void)
{
  char own[32];
  long sum = 0;
  DIR *folder = opendir("/proc/self/task");
  snprintf(own, sizeof own, "%ld", syscall(SYS_gettid));
  for (struct dirent *entry; sum >= 0 && (entry = readdir(folder)) != NULL;) {
    char path[300], line[300], state = 'S';
    long sleeps = 0;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
    FILE *file = entry->d_name[0] != '.' && strcmp(entry->d_name, own) != 0 ? fopen(path, "r") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
      sscanf(line, "State: %c", &state);
      sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
    }
    if (file != NULL)
      fclose(file);
    sum = state == 'S' ? sum + sleeps : -1;
  }
  closedir(folder);
  return sum;
}

/* Returns when two looks in a row find all others asleep and the same number of sleeps.  */
static void wait_until_others_sleep(void)
{
  for (long before = -2, now = -1; now < 0 || now != before; sched_yield()) {
    before = now;
    now = sleeps_of_others();
  }
}

static omp_lock_t never_unset;
static omp_nest_lock_t never_unset_nest;

static void first(void)
{
  int x = 0;
  (void)x;
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == 2) {
      omp_set_lock(&never_unset);
      omp_set_nest_lock(&never_unset_nest);
      reach(LOCKED);
      wait_for(TASK_RUNS);
    }
    if (omp_get_thread_num() == 0) {
      wait_for(LOCKED);
#pragma omp task depend(out : x)
      {
        reach(TASK_RUNS);
        omp_set_lock(&never_unset);
      }
#pragma omp task depend(in : x)
      all_in_place = 2;
      wait_for(TASK_RUNS);
#pragma omp taskwait
    }
#pragma omp barrier
  }
}

/* A place that asks.  */
static __attribute__((noinline)) int ask(void)
{
  omp_set_num_threads(2);
  int threads = omp_get_max_threads();
  __asm__ volatile("" : "+r"(threads)); /* no jump in place of the call */
  return threads;
}

static void second(void)
{
  omp_set_max_active_levels(2);
  ask();
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1)
      wait_for(IN_CRITICAL);
#pragma omp critical(both)
    {
      reach(IN_CRITICAL);
      for (int i = 0; i < 2; i++) {
#pragma omp task
        all_in_place = 2;
      }
#pragma omp parallel num_threads(2)
      if (omp_get_thread_num() == 0) {
        reach(SECOND_IN_PLACE);
        omp_set_nest_lock(&never_unset_nest);
      }
    }
  }
}

static void third(void)
{
  all_in_place = 1;
  while (ask() == 2)
    ;
}

static void *begin_second(void *nothing)
{
  pthread_setname_np(pthread_self(), "second");
  wait_for(FIRST_IN_PLACE);
  second();
  return nothing;
}

static void *begin_third(void *nothing)
{
  pthread_setname_np(pthread_self(), "third");
  wait_for(TASK_RUNS);
  wait_until_others_sleep();
  reach(FIRST_IN_PLACE);
  wait_for(SECOND_IN_PLACE);
  wait_until_others_sleep();
  third();
  return nothing;
}

int main(void)
{
  pthread_t threads[2];
  pthread_setname_np(pthread_self(), "first");
  omp_init_lock(&never_unset);
  omp_init_nest_lock(&never_unset_nest);
  pthread_create(&threads[0], NULL, begin_second, NULL);
  pthread_create(&threads[1], NULL, begin_third, NULL);
  first();
  return 1; /* not reached */
}
