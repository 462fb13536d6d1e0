/* A member of a region forks while tasks are ready, or run on other threads.  The child has one thread,
   and its waits, groups and barriers must end.  The parent alone executes the tasks that were deferred
   before the fork, each of them once.
   env: OMP_MAX_TASK_PRIORITY=9
   wrap: for case in 0 1 2 3 4 5 6; do %s $case || exit 1; done */
#include <omp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMBERS = 3, PENDING = 50 };

static _Atomic int blocked, go_on, ran, in_child;

/* Keeps one of the other threads busy until the fork is over.  */
static void block(void)
{
  blocked++;
  while (!go_on && !in_child)
    ;
}

static void run_one(void)
{
  ran++;
}

/* In the region the child is a team of one; new tasks and regions work as always.  */
static void be_a_child(void)
{
  int sum = 0, x = 0;
  in_child = 1;
#pragma omp taskwait
  for (int i = 0; i < 300; i++)
#pragma omp task shared(sum)
#pragma omp atomic
    sum++;
#pragma omp taskwait
#pragma omp taskgroup
  {
#pragma omp task depend(out : ran) shared(x)
    x = 1;
#pragma omp task depend(inout : ran) shared(x)
    x *= 2;
  }
  if (sum != 300 || x != 2 || omp_get_num_threads() != 1)
    _exit(2);
  sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  if (sum != (omp_get_max_active_levels() > 1 ? 2 : 1))
    _exit(3);
}

static pid_t fork_here(void)
{
  pid_t pid = fork();
  if (pid == 0)
    be_a_child();
  return pid;
}

static void defer(int how)
{
  for (int i = 0; i < PENDING; i++)
    if (how == 1)
#pragma omp task depend(inout : ran)
      run_one();
    else if (how == 2)
#pragma omp task priority(i % 5)
      run_one();
    else
#pragma omp task
      run_one();
}

static pid_t make_and_fork(int which)
{
  pid_t pid = 0;
  for (int i = 1; i < MEMBERS; i++)
#pragma omp task
    block();
  while (blocked != MEMBERS - 1)
    ;
  if (which < 3) {
    defer(which);
    pid = fork_here();
    go_on = 1;
#pragma omp taskwait
  } else if (which == 3) {
#pragma omp taskgroup
    {
      defer(1);
      pid = fork_here();
      go_on = 1;
    }
  } else if (which == 4) {
#pragma omp task if (0) shared(pid)
    {
      defer(0);
      pid = fork_here();
      go_on = 1;
#pragma omp taskwait
    }
  } else if (which == 5) {
    defer(1);
    pid = fork_here(); /* the barrier waits for all tasks */
  } else {
    defer(0);
#pragma omp task if (0) depend(in : pid) shared(pid)
    pid = fork_here();
  }
  return pid;
}

int main(int count, char **arguments)
{
  int which = count > 1 ? atoi(arguments[1]) : 0, status = 0;
  pid_t pid = -1;
#pragma omp parallel num_threads(MEMBERS)
  {
#pragma omp single nowait
    {
      pid = make_and_fork(which);
      go_on = 1;
    }
#pragma omp barrier
    if (in_child)
      _exit(0);
  }
  if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return 1;
  return ran == PENDING ? 0 : 2;
}
