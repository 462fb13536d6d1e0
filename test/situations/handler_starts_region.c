/* A handler of a signal may start a region, at any moment, on masters and on workers: while its thread calls a team, ends a
   region, grows a team, waits, or is between two regions.  */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { HANDLERS = 600, ON_WORKERS = 300 };
static _Atomic int in_handlers, wrong;

static long sum_of(int n, int threads)
{
  long sum = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += i;
  return sum;
}

static void arm(void)
{
  struct itimerval once = {{0, 0}, {0, 50 + rand() % 400}};
  setitimer(ITIMER_REAL, &once, NULL);
}

/* A team inside the handler's region, and a loop whose chunks are handed out.  */
static long more_in_handler(void)
{
  long sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    long inner = sum_of(10, 2);
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 20; i++)
      sum += i;
#pragma omp single
    sum += inner;
  }
  return sum;
}

static void handler(int signal)
{
  if (sum_of(1000, 2) != 499500 || more_in_handler() != 190 + 45)
    wrong++;
  in_handlers++;
  if (signal == SIGALRM)
    arm();
}

static int tasks(int n)
{
  int sum = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < n; i++)
#pragma omp task shared(sum)
#pragma omp atomic
    sum++;
  return sum;
}

static void regions(int round)
{
  int n = 2 + round % 3, asked = omp_get_max_threads();
  if (sum_of(1000, n) != 499500 || tasks(10) != 10 || sum_of(100, asked) != 4950)
    wrong++;
#pragma omp parallel num_threads(2)
  if (sum_of(10, 2) != 45)
    wrong++;
}

static void *master(void *nothing)
{
  for (int round = 0; in_handlers < HANDLERS; round++)
    regions(round);
  return nothing;
}

/* Workers are interrupted in a region, at its end, and while they wait for the next.  */
static void interrupt_workers(void)
{
  static pthread_t workers[4];
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  for (int round = 0, before = in_handlers; in_handlers < before + ON_WORKERS; round++) {
#pragma omp parallel num_threads(4)
    workers[omp_get_thread_num()] = pthread_self();
    pthread_kill(workers[1 + round % 3], SIGUSR1);
    regions(0);
  }
}

int main(void)
{
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  pthread_t other;
  sigaction(SIGALRM, &action, NULL);
  pthread_create(&other, NULL, master, NULL); /* the C library's own lock of it is not for handlers */
  arm();
  master(NULL);
  pthread_join(other, NULL);
  signal(SIGALRM, SIG_IGN);
  interrupt_workers();
  return wrong != 0;
}
