/* The number of the calling thread, at every point where it changes: omp_get_thread_num must be the number of this
   thread in the innermost region that omp_get_ancestor_thread_num knows.  The runtime keeps the two apart.
   stdout: ^no difference\n$  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Clang calls the body of target directly.  */
#ifdef __clang__
#define IN_TARGET (-1)
#else
#define IN_TARGET 0
#endif

static int differences;

static void look(int expected, const char *where)
{
  int number = omp_get_thread_num(), of_level = omp_get_ancestor_thread_num(omp_get_level());
  if (number == of_level && (expected < 0 || number == expected))
    return;
  printf("%s: omp_get_thread_num %d, of the level %d, expected %d\n", where, number, of_level, expected);
#pragma omp atomic
  differences++;
}

static void spread_out(int depth)
{
  int outer = omp_get_thread_num();
  look(-1, "task");
  if (depth == 0)
    return;
  for (int i = 0; i < 3; i++)
#pragma omp task
    spread_out(depth - 1);
#pragma omp taskwait
  look(outer, "after taskwait");
}

static void nested(int depth)
{
  int outer = omp_get_thread_num();
  look(-1, "region");
  if (depth == 0)
    return;
#pragma omp parallel num_threads(1 + depth % 3)
  nested(depth - 1);
  look(outer, "after an inner region");
#pragma omp parallel if (0)
  look(0, "region of one");
  look(outer, "after a region of one");
#pragma omp target
  look(IN_TARGET, "target");
  look(outer, "after target");
#pragma omp barrier
  look(outer, "after a barrier");
}

static void leagues(void)
{
#pragma omp teams num_teams(3) thread_limit(3)
  {
    look(0, "teams");
#pragma omp parallel num_threads(2)
    look(-1, "region in teams");
    look(0, "teams, after a region");
  }
  look(0, "after teams");
}

static pthread_key_t key;

static void destructor(void *value)
{
  (void)value;
  look(0, "destructor of a thread");
#pragma omp parallel num_threads(2)
  look(-1, "region in a destructor");
  look(0, "destructor, after a region");
}

static void *other_thread(void *first)
{
  pthread_setspecific(key, &key);
  if (first != NULL)
    look(0, "new thread");
#pragma omp parallel num_threads(3)
  look(-1, "region of another thread");
  look(0, "other thread");
  return NULL;
}

/* The child continues as thread 0 of a team of one, whichever thread it was.  */
static void fork_in_region(int by)
{
#pragma omp parallel num_threads(3)
  if (omp_get_thread_num() == by) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      look(0, "child inside of the region");
#ifndef __SANITIZE_THREAD__ /* it allows no new threads in a forked child */
#pragma omp parallel num_threads(2)
      look(-1, "region of the child");
#endif
      look(0, "child, after a region");
      fflush(stdout);
      _exit(differences != 0);
    }
    int status;
    waitpid(child, &status, 0);
    if (status != 0) {
      printf("child of thread %d: status %x\n", by, status);
#pragma omp atomic
      differences++;
    }
    look(by, "parent of a child");
  }
}

int main(void)
{
  look(0, "before all");
  omp_set_max_active_levels(5);
  for (int round = 0; round < 50; round++) {
    nested(4);
#pragma omp parallel num_threads(4)
    spread_out(3);
    look(0, "after tasks");
    leagues();
  }
  pthread_key_create(&key, destructor);
  for (int i = 0; i < 8; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, other_thread, i % 2 != 0 ? &key : NULL);
    pthread_join(thread, NULL);
    look(0, "after another thread");
  }
  for (int by = 0; by < 3; by++)
    fork_in_region(by);
  puts(differences == 0 ? "no difference" : "differences");
  return differences != 0;
}
