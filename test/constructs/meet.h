/* Bodies that wait for each other: n of them in a team of n threads.  They meet only if no thread executes two while
   another has none.  A test whose bodies never meet ends with a message.  */
#ifndef CONSTRUCTS_MEET_H
#define CONSTRUCTS_MEET_H

#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST_BODIES = 64, HOPELESS_S = 100 };

static int n; /* bodies */
static const char *kind;
static _Atomic int begun;
static pthread_barrier_t all;

static void meet(void)
{
  begun++;
  pthread_barrier_wait(&all);
}

static void give_up(int signal)
{
  (void)signal;
  printf("%s: only %d of %d bodies have begun, and wait for the others\n", kind, begun, n);
  fflush(stdout);
  _exit(1);
}

struct meeting {
  const char *kind;
  void (*run)(void);
};

static void meet_in_each(const struct meeting *meetings, int count, int rounds)
{
  signal(SIGALRM, give_up);
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  omp_set_schedule(omp_sched_dynamic, 1);
  for (n = 2; n <= MOST_BODIES; n *= 2) {
    pthread_barrier_init(&all, NULL, n);
    for (int i = 0; i < count * rounds; i++) {
      kind = meetings[i % count].kind;
      begun = 0;
      alarm(HOPELESS_S);
      meetings[i % count].run();
      if (begun != n) {
        printf("%s: %d bodies, expected %d\n", kind, begun, n);
        exit(1);
      }
    }
    pthread_barrier_destroy(&all);
  }
}

#endif
