/* After the first thread has called pthread_exit, a process ends with its last thread, through exit(0).
   The runtime's own threads must not keep it alive, whichever thread started regions, and at any time.
   In the last case no descriptor is left, so nothing can be opened any more, and there is no way to look into /proc.
   link: -Wl,--no-as-needed -lgcc_s
   wrap: for case in 0 1 2 3 4 5 6; do %s $case || exit 1; done
   stdout: (ended\n){7} */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static pthread_t first;
static pthread_key_t key;

static int region(void)
{
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum++;
  return sum;
}

static void ended(void)
{
  puts(region() == 3 ? "ended" : "ended with a small region");
}

/* Runs before or after the runtime's own destructor: the runtime cannot know which.  */
static void destroy(void *rounds)
{
  region();
  if ((long)rounds > 1)
    pthread_setspecific(key, (void *)((long)rounds - 1));
}

static void *region_before(void *nothing)
{
  if (region() != 3)
    exit(2);
  pthread_join(first, NULL);
  return nothing;
}

static void *region_after(void *nothing)
{
  pthread_join(first, NULL);
  if (region() != 3)
    exit(2);
  return nothing;
}

/* Starts no regions, and ends after all other threads.  */
static void *none(void *other)
{
  pthread_join(*(pthread_t *)other, NULL);
  return NULL;
}

static pthread_t start(void *(*body)(void *), void *argument)
{
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, argument) != 0)
    exit(3);
  return thread;
}

/* Each thread joins the one before it.  */
static void *successors(void *before)
{
  static int left = 20;
  static pthread_t threads[20];
  pthread_join(*(pthread_t *)before, NULL);
  if (region() != 3)
    exit(2);
  threads[--left] = pthread_self();
  if (left != 0)
    start(successors, &threads[left]);
  return NULL;
}

int main(int count, char **arguments)
{
  int which = count > 1 ? atoi(arguments[1]) : 0;
  first = pthread_self();
  pthread_key_create(&key, destroy);
  atexit(ended);
  if (which == 0 || which == 4 || which == 6)
    region();
  if (which == 6 && setrlimit(RLIMIT_NOFILE, &(struct rlimit){3, 3}) != 0)
    return 1;
  if (which == 1)
    start(region_before, NULL);
  if (which == 2 || which == 6)
    start(region_after, NULL);
  if (which == 3) {
    static pthread_t other;
    other = start(region_before, NULL);
    start(none, &other);
    region();
  }
  if (which == 4)
    pthread_setspecific(key, (void *)2L);
  if (which == 5)
    start(successors, &first);
  pthread_exit(NULL);
}
