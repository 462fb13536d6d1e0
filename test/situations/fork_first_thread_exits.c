/* In a child the thread that forked is the first thread.  If it calls pthread_exit, the child ends with
   status 0 when its workers have ended, whether it started regions before or not.  */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(int threads)
{
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum++;
  return sum;
}

/* Returns the child's status.  */
static void *fork_and_exit(void *threads)
{
  int status = -1;
  pid_t pid = fork();
  if (pid == 0) {
    if (threads != NULL && region((int)(intptr_t)threads) != (int)(intptr_t)threads)
      _exit(1);
    pthread_exit(NULL);
  }
  waitpid(pid, &status, 0);
  return (void *)(intptr_t)status;
}

/* Forks from this thread, and from a thread that the runtime does not know.  */
static int all_end(void)
{
  int bad = 0;
  for (intptr_t threads = 0; threads <= 3; threads += 3) {
    pthread_t thread;
    void *status;
    bad += fork_and_exit((void *)threads) != NULL;
    if (pthread_create(&thread, NULL, fork_and_exit, (void *)threads) != 0)
      return 0;
    pthread_join(thread, &status);
    bad += status != NULL;
  }
  return bad == 0;
}

int main(void)
{
  if (!all_end())
    return 1;
  return region(3) == 3 && all_end() ? 0 : 2;
}
