/* A process limits its addresses after its first region, as judges and sandboxes do: for itself, or for a child.  Memory, threads
   and teams must be had as before.  GHC's runtime system reserves a terabyte when it boots; were that kept, the limit would be
   exceeded at once.  (Its threads are as many as processors at most, with a stack and an arena each.)  */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MB ((size_t)1 << 20)

static int team(int threads)
{
  int size = 0;
#pragma omp parallel num_threads(threads) reduction(+ : size)
  size++;
  return size;
}

static void *nothing(void *argument)
{
  return argument;
}

/* Its stack is larger than those that the C library keeps.  */
static int thread_can_be_had(void)
{
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 * MB);
  return pthread_create(&thread, &attributes, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

static int wrong_under_limit(const char *who)
{
  rlim_t limit = 2000 * MB + (rlim_t)sysconf(_SC_NPROCESSORS_ONLN) * 72 * MB;
  if (setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit}) != 0)
    return 1;
  char *memory = malloc(200 * MB);
  int thread = thread_can_be_had(), size = team(4);
  if (memory != NULL && thread && size == 4)
    return 0;
  return printf("%s: memory %d, thread %d, team of %d\n", who, memory != NULL, thread, size);
}

int main(void)
{
  int status;
  if (team(2) != 2)
    return 1;
  pid_t child = fork();
  if (child == 0) {
    int wrong = wrong_under_limit("child");
    fflush(stdout);
    _exit(wrong != 0);
  }
  if (waitpid(child, &status, 0) != child || status != 0 || wrong_under_limit("parent") != 0)
    return 2;
  for (int i = 0; i < 2000; i++)
    if (team(2 + i % 6) != 2 + i % 6)
      return 3;
  return 0;
}
