/* The whole thread limit is free for a child that was forked in a region: threads that count against
   the limit of the parent must not count in the child.
   env: OMP_THREAD_LIMIT=4 OMP_MAX_ACTIVE_LEVELS=3 */
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static int region(int threads)
{
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum++;
  return sum;
}

int main(void)
{
  int bad = 0, status = 0;
#pragma omp parallel num_threads(4) reduction(+ : bad)
  {
    pid_t pid = fork();
    if (pid == 0)
      _exit(region(4) == 4 && region(9) == 4 && region(4) == 4 ? 0 : 1);
    bad += waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  }
  return bad == 0 && region(9) == 4 ? 0 : 1;
}
