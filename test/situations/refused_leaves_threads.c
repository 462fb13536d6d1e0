/* A team that was refused threads leaves some to the program, whose own thread can then be created in the region.
   stderr: ^ghcomp: a thread could not be created \(clone: .*: the limit of threads, ulimit -u or a container's\): a region that wanted 200 threads runs with \d+; this is said once\n */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LIMIT = 64, LEFT = 4 };

static void *nothing(void *argument)
{
  return argument;
}

/* The threads that the team has left may need some time to end.  */
static void create_and_join(void)
{
  pthread_t thread;
  while (pthread_create(&thread, NULL, nothing, NULL) != 0)
    sched_yield();
  pthread_join(thread, NULL);
}

int main(void)
{
  int size = 0;
  if (setuid(54322) != 0 || setrlimit(RLIMIT_NPROC, &(struct rlimit){LIMIT, LIMIT}) != 0)
    return 77;
#pragma omp parallel num_threads(200) reduction(+ : size)
  {
    size++;
#pragma omp single
    if (omp_get_num_threads() <= LIMIT - LEFT)
      create_and_join();
  }
  if (size > LIMIT / 2 && size <= LIMIT - LEFT)
    return 0;
  return printf("team of %d\n", size), 1;
}
