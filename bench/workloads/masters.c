/* Many threads of a program start regions at once, as many Haskell threads do.  Measures the time of a
   region, over the regions of all masters together.

   usage: masters THREADS     prints "M masters, loop L: nanoseconds a region..." lines; L is the
                              region's loop, in iterations */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SAMPLES = 8, MOST_MASTERS = 8 };

static const struct {
  int masters, length, regions; /* `regions` for each master */
} rows[] = {
    {1, 0, 4000}, {2, 0, 2000}, {4, 0, 1000}, {8, 0, 500},
    {1, 10000, 1000}, {2, 10000, 500}, {4, 10000, 250}, {8, 10000, 125},
};

static int threads;
static pthread_barrier_t begin;

struct job {
  pthread_t thread;
  int length, regions;
  double started[SAMPLES + 1], ended[SAMPLES + 1];
  long wrong;
};

static double now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A sum over a recurrence that no compiler can shorten.  */
static unsigned long part(int first, int last)
{
  unsigned long x = 1;
  for (int i = first; i < last; i++)
    x = x * 6364136223846793005u + (unsigned long)i;
  return x;
}

static unsigned long region(int length)
{
  unsigned long sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    int me = omp_get_thread_num(), all = omp_get_num_threads();
    sum += part(length * me / all, length * (me + 1) / all) + (unsigned long)(all != threads);
  }
  return sum;
}

static unsigned long expected_of(int length)
{
  unsigned long sum = 0;
  for (int i = 0; i < threads; i++)
    sum += part(length * i / threads, length * (i + 1) / threads);
  return sum;
}

static void *run_master(void *argument)
{
  struct job *job = argument;
  unsigned long expected = expected_of(job->length);
  for (int s = 0; s <= SAMPLES; s++) {
    pthread_barrier_wait(&begin);
    job->started[s] = now_ns();
    for (int r = 0; r < job->regions; r++)
      job->wrong += region(job->length) != expected;
    job->ended[s] = now_ns();
  }
  return NULL;
}

/* From the first master's start to the last one's end.  */
static double time_of(const struct job *jobs, int masters, int sample)
{
  double started = jobs[0].started[sample], ended = jobs[0].ended[sample];
  for (int m = 1; m < masters; m++) {
    started = jobs[m].started[sample] < started ? jobs[m].started[sample] : started;
    ended = jobs[m].ended[sample] > ended ? jobs[m].ended[sample] : ended;
  }
  return ended - started;
}

static void measure(int masters, int length, int regions)
{
  struct job jobs[MOST_MASTERS];
  long wrong = 0;
  pthread_barrier_init(&begin, NULL, (unsigned)masters);
  for (int m = 0; m < masters; m++) {
    jobs[m] = (struct job){.length = length, .regions = regions};
    if (pthread_create(&jobs[m].thread, NULL, run_master, &jobs[m]) != 0) {
      perror("pthread_create");
      exit(1);
    }
  }
  for (int m = 0; m < masters; m++) {
    pthread_join(jobs[m].thread, NULL);
    wrong += jobs[m].wrong;
  }
  pthread_barrier_destroy(&begin);
  printf("%d masters, loop %d:", masters, length);
  if (wrong != 0)
    printf(" wrong, %ld sums", wrong);
  for (int s = 1; s <= SAMPLES && wrong == 0; s++) /* the first sample creates the teams */
    printf(" %.2f", time_of(jobs, masters, s) / ((double)regions * masters));
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv)
{
  threads = argc == 2 ? atoi(argv[1]) : 0;
  if (threads < 1) {
    fprintf(stderr, "usage: %s THREADS\n", argv[0]);
    return 2;
  }
  omp_set_dynamic(0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    measure(rows[i].masters, rows[i].length, rows[i].regions);
  return 0;
}
