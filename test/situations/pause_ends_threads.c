/* After omp_pause_resource_all the process has only the threads that it had before, so it may do what the system allows to
   processes of one thread only, such as to enter a user namespace; and regions work again.  In a region there is no pause. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { ROUNDS = 20, THREADS = 4 };

/* Refused where there is another thread; changes nothing.  */
static int is_alone(void)
{
  return unshare(CLONE_THREAD) == 0;
}

static int team_size(int threads)
{
  int size = 0;
#pragma omp parallel num_threads(threads) reduction(+ : size)
  size++;
  return size;
}

int main(void)
{
  int paused_inside = 0, wrong = !is_alone();
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : paused_inside)
  paused_inside += omp_pause_resource_all(omp_pause_soft) == 0;
  for (int round = 0; round < ROUNDS; round++) {
    int few = team_size(2), more = team_size(THREADS), inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
    inner += team_size(2);
    wrong += few != 2 || more != THREADS || inner != 4 || is_alone();
    int paused = omp_pause_resource_all(round % 2 != 0 ? omp_pause_soft : omp_pause_hard) == 0;
    wrong += !paused || !is_alone();
  }
  printf("wrong: %d, paused inside: %d\n", wrong, paused_inside);
  return wrong != 0 || paused_inside != 0;
}
