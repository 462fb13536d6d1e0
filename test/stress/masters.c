/* Many masters at once: native threads start regions of changing size, also nested ones, with every
   kind of construct inside, and check each result.  */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { MASTERS = 8, ROUNDS = 120 };

static int nested(int threads)
{
  int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum += omp_get_num_threads() == threads && omp_get_level() == 2;
  return sum;
}

static int round_of(unsigned seed)
{
  int threads = 1 + (int)(seed % 5), loop = 0, singles = 0, sections = 0, inner = 0, tasks = 0;
  int turn = 0, copied = 0;
#pragma omp parallel num_threads(threads) reduction(+ : loop, inner, copied)
  {
    int shared_value = 0;
#pragma omp for schedule(dynamic, 3) nowait
    for (int i = 0; i < 100; i++)
      loop++;
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 100; i++)
      loop++;
#pragma omp single
    singles++;
#pragma omp sections
    {
#pragma omp section
#pragma omp atomic
      sections++;
#pragma omp section
#pragma omp atomic
      sections++;
    }
#pragma omp for ordered schedule(static, 2)
    for (int i = 0; i < 20; i++) {
#pragma omp ordered
      turn += turn == i;
    }
#pragma omp single copyprivate(shared_value)
    shared_value = 7;
    copied += shared_value == 7;
    inner += nested(2);
#pragma omp task
#pragma omp atomic
    tasks++;
  }
  return loop == 200 && singles == 1 && sections == 2 && inner == 2 * threads &&
         tasks == threads && turn == 20 && copied == threads;
}

static void *master(void *argument)
{
  unsigned seed = (unsigned)(size_t)argument;
  omp_set_max_active_levels(2);
  for (int i = 0; i < ROUNDS; i++) {
    seed = seed * 1103515245u + 12345u;
    if (!round_of(seed >> 16)) {
      printf("round %d failed\n", i);
      exit(1);
    }
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[MASTERS];
  for (size_t i = 0; i < MASTERS; i++)
    pthread_create(&threads[i], NULL, master, (void *)(i + 1));
  for (int i = 0; i < MASTERS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
