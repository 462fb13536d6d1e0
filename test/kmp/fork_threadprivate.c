/* In a forked child too, each thread has a number of its own and threadprivate copies of its own, which
   begin with the initial value.  The copies are found by the thread's number.
   link: -fnoopenmp-use-tls  */
#include <omp.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, GENERATIONS = 3 };

int __kmpc_global_thread_num(void *where);

static int own = 42;
#pragma omp threadprivate(own)

static int *copies[THREADS], numbers[THREADS], values[THREADS];

static int differ(void)
{
  for (int i = 0; i < THREADS; i++)
    for (int k = 0; k < i; k++)
      if (copies[i] == copies[k] || numbers[i] == numbers[k])
        return 0;
  return 1;
}

/* Thread 0 is the one that forked, and keeps its copy.  */
static int are_own(int generation)
{
#pragma omp parallel num_threads(THREADS)
  {
    int thread = omp_get_thread_num();
    copies[thread] = &own;
    numbers[thread] = __kmpc_global_thread_num(NULL);
    values[thread] = own;
    own = 1000 * (generation + 1) + thread;
  }
  int right = differ() && values[0] == (generation == 0 ? 42 : 1000 * generation);
  for (int i = 1; i < THREADS; i++)
    right = right && values[i] == 42;
  for (int i = 0; i < THREADS; i++)
    printf("generation %d, thread %d: number %d, copy %p, value %d\n", generation, i, numbers[i], (void *)copies[i],
           values[i]);
  return right;
}

static int run(int generation)
{
  int right = are_own(generation);
  fflush(stdout);
  if (!right || generation + 1 == GENERATIONS)
    return !right;
  pid_t child = fork();
  if (child == 0)
    _exit(run(generation + 1));
  int status;
  return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

int main(void)
{
  return run(0);
}
