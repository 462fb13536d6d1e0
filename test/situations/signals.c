/* Signals that are sent to the program in a region reach its handler, and the threads go on waiting.  */
#include <omp.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms;

static void handler(int signal)
{
  (void)signal;
  alarms++;
}

int main(void)
{
  struct sigaction action = {.sa_handler = handler};
  struct itimerval every = {{0, 500}, {0, 500}};
  int sum = 0;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &every, NULL);
  while (alarms < 50) {
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
#pragma omp barrier
      sum += 1;
#pragma omp barrier
    }
    if (sum % 4 != 0)
      return 1;
  }
  return 0;
}
