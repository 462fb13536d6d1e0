/* After the first thread has called pthread_exit, a process ends with its last thread, also if nothing in it can be opened any
   more: it has no descriptor left, and so no way to look into /proc.
   link: -Wl,--no-as-needed -lgcc_s
   stdout: ^ended$ */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static pthread_t first;

static int region(void)
{
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  sum++;
  return sum;
}

static void ended(void)
{
  puts("ended");
}

static void *last(void *nothing)
{
  pthread_join(first, NULL);
  if (region() != 3)
    exit(2);
  return nothing;
}

int main(void)
{
  struct rlimit none = {3, 3};
  pthread_t thread;
  first = pthread_self();
  atexit(ended);
  if (region() != 3 || setrlimit(RLIMIT_NOFILE, &none) != 0 || pthread_create(&thread, NULL, last, NULL) != 0)
    return 1;
  pthread_exit(NULL);
}
