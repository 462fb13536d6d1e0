/* usage: mutex THREADS     each thread takes a mutex ten times and works 500 ns; the time for each, and how many slept.
   usage: mutex 0           the caller waits for a mutex that nobody gives back: every thread sleeps */
#include "together.h"

enum { TIMES = 10 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside, most_inside, entries;
static double ends;

static void *enter(void *argument)
{
  wait_until(BEGIN);
  for (int i = 0; i < TIMES; i++) {
    pthread_mutex_lock(&mutex);
    inside++;
    most_inside = inside > most_inside ? inside : most_inside;
    scale_work(500);
    entries++;
    inside--;
    pthread_mutex_unlock(&mutex);
  }
  ends = scale_now() > ends ? scale_now() : ends;
  return argument;
}

int main(int count, char **arguments)
{
  int threads = count > 1 ? atoi(arguments[1]) : 2;
  if (threads == 0) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  run_together(threads, enter);
  printf("%.4f %lu\n", (ends - BEGIN) / entries, scale_counts().wakes);
  return most_inside != 1 || entries != threads * TIMES;
}
