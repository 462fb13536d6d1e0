/* A child that was forked after a region starts its own regions, also nested ones.  */
#include <omp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int count(int threads)
{
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += omp_get_num_threads() == threads;
  return sum;
}

static int child(void)
{
  omp_set_max_active_levels(2);
  int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += count(3);
  return count(4) == 4 && sum == 6 ? 0 : 1;
}

int main(void)
{
  for (int i = 0; i < 5; i++) {
    int status;
    if (count(4) != 4)
      return 2;
    pid_t pid = fork();
    if (pid == 0)
      _exit(child());
    if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
      return 3;
  }
  return count(4) == 4 ? 0 : 4;
}
