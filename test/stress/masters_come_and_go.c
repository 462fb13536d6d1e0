/* Native threads start, run a region and end, some close together, some with pauses.  A pause is
   about as long as the time after which idle workers end, so that both happen at once.  A region
   that begins at that moment gets its threads, and a worker serves or ends, never both.  */
#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { LINES = 3, ROUNDS = 120, LONGEST_NS = 16000000 };

static _Atomic int wrong;

static void *master(void *size)
{
  int sum = 0, threads = (int)(intptr_t)size;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  sum++;
  wrong += sum != threads;
  return NULL;
}

static void *line(void *seed)
{
  unsigned random = (unsigned)(intptr_t)seed;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t thread;
    random = random * 1103515245 + 12345;
    struct timespec pause = {0, random / 65536 % 4 == 0 ? random / 7 % LONGEST_NS : 0};
    nanosleep(&pause, NULL);
    if (pthread_create(&thread, NULL, master, (void *)(intptr_t)(2 + random / 65536 % 5)) != 0)
      exit(3);
    pthread_join(thread, NULL);
  }
  return NULL;
}

int main(void)
{
  pthread_t lines[LINES];
  for (intptr_t i = 0; i < LINES; i++)
    if (pthread_create(&lines[i], NULL, line, (void *)(i + 1)) != 0)
      return 3;
  for (int i = 0; i < LINES; i++)
    pthread_join(lines[i], NULL);
  return wrong != 0;
}
