/* A handler of a signal may call exit, at any moment, and a handler of exit may start a region: Ctrl-C in a program that cleans
   up.  Each child is interrupted at another moment, from before the start of the runtime on.  */
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 400, STATUS = 7, WRONG = 8 };

static void last(void)
{
  long sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 1000; i++)
    sum += i;
  if (sum != 499500)
    _exit(WRONG);
}

static void handler(int signal)
{
  (void)signal;
  exit(STATUS);
}

static _Noreturn void be_child(int number)
{
  struct itimerval once = {{0, 0}, {0, 1 + 37 * number}};
  atexit(last);
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &once, NULL);
  for (;;) {
#pragma omp parallel num_threads(2 + number % 3)
    {
#pragma omp single
      for (int i = 0; i < 20; i++) {
#pragma omp task
        __asm__ __volatile__("");
      }
    }
  }
}

int main(void)
{
  for (int i = 0; i < CHILDREN; i++) {
    int status = 0;
    pid_t child = fork();
    if (child == 0)
      be_child(i);
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS)
      return 1;
  }
  return 0;
}
