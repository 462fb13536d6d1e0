/* usage: clocks THREADS     one thread computes for 1 ms, then sleeps for 4 ms; the others compute for 5 ms.  After that, ns: the first
   one's clock, that of another one, the process's, what that call took; and 1, if the states of both were right meanwhile */
#include "together.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MS = 1000000 };
static int number[MOST_THREADS];
static clockid_t own_clock[MOST_THREADS];
static double began[MOST_THREADS], process_began;
static char state[2];

static double clock_of(clockid_t clock)
{
  struct timespec t;
  if (clock_gettime(clock, &t) != 0)
    exit(3);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static char state_of(int me)
{
  char path[64], line[64] = "";
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", number[me]);
  int file = open(path, O_RDONLY);
  if (file < 0 || read(file, line, sizeof line - 1) <= 0)
    exit(4);
  close(file);
  char *after = line;
  while (*after != ')')
    after++;
  return after[2];
}

static void *compute_or_sleep(void *argument)
{
  long me = (long)argument;
  number[me] = (int)syscall(SYS_gettid);
  if (pthread_getcpuclockid(pthread_self(), &own_clock[me]) != 0)
    exit(5);
  wait_until(BEGIN);
  began[me] = clock_of(CLOCK_THREAD_CPUTIME_ID);
  if (me == 0) {
    process_began = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    scale_work(MS);
    nanosleep(&(struct timespec){.tv_nsec = 4 * MS}, NULL);
    double own = clock_of(own_clock[0]) - began[0], other = clock_of(own_clock[1]) - began[1];
    double call = scale_now(), process = clock_of(CLOCK_PROCESS_CPUTIME_ID) - process_began;
    printf("%.4f %.4f %.4f %.4f %d\n", own, other, process, scale_now() - call, state[0] == 'S' && state[1] == 'R');
    return NULL;
  }
  for (int i = 0; i < 5; i++) {
    if (me == 1 && i == 2)
      state[0] = state_of(0), state[1] = state_of(1);
    scale_work(MS);
  }
  wait_until(END);
  return NULL;
}

int main(int count, char **arguments)
{
  run_together(count > 1 ? atoi(arguments[1]) : 2, compute_or_sleep);
  return 0;
}
