/* A thread that waits at the team's first barrier runs a task, which forks.  In the child that barrier
   must be over; so must the end of a taskgroup or of a region in which the thread waited.  */
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

static _Atomic int forked, in_child;
static _Atomic pid_t pid;

static void fork_here(void)
{
  pid_t child = fork();
  in_child = child == 0;
  pid = child;
  forked = 1;
}

/* The creator stays busy until another thread has executed the task.  */
static void let_another_fork(void)
{
#pragma omp task
  fork_here();
  while (!forked)
    ;
}

static int child_ended_well(void)
{
  int status;
  forked = 0;
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(void)
{
  int sum = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    let_another_fork();
#pragma omp barrier
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < 10; i++)
      sum++;
    if (in_child)
      _exit(sum == 10 ? 0 : 1);
  }
  if (!child_ended_well())
    return 1;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) /* the master waits for the end of the region, where a worker is finished */
    let_another_fork();
  if (in_child)
    _exit(0);
  return child_ended_well() ? 0 : 2;
}
