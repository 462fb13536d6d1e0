/* A child whose only thread is the copy of a worker ends with the region.  */
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
  pid_t child = 0;
  int status = 1;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1)
      child = fork();
  }
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? 0 : 1;
}
