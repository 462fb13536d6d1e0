/* Each thread of a region forks.  Each child starts regions, and then leaves the region in which it was
   forked, alone.  */
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

int main(void)
{
  int bad = 0;
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3) reduction(+ : bad)
  {
    int status, number = omp_get_thread_num();
    pid_t pid = fork(); /* the child is thread 0 of 1 */
    if (pid == 0) {
      if (count(2) != 2 || count(3) != 3)
        _exit(1);
      if (number != 0)
        _exit(0);
    } else {
      bad += waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
  }
  /* executed by the parent, and by the child that thread 0 forked */
  return bad == 0 && count(4) == 4 ? 0 : 1;
}
