/* Workers are processes that the parent forks and waits for; they share mapped memory.  */
#include "harness.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct common {
  pthread_barrier_t barrier;
  atomic_long next_item;
} *common;

void *driver_shared(size_t size)
{
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    harness_fail("no memory for %zu bytes", size);
  return memory;
}

static void prepare(int workers)
{
  pthread_barrierattr_t shared;
  common = driver_shared(sizeof *common);
  pthread_barrierattr_init(&shared);
  pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
  pthread_barrier_init(&common->barrier, &shared, (unsigned)workers);
}

void driver_run(int workers, void (*body)(int, int))
{
  prepare(workers);
  fflush(stdout);
  for (int i = 0; i < workers; i++) {
    pid_t child = fork();
    if (child < 0)
      harness_fail("cannot fork process %d of %d", i + 1, workers);
    if (child == 0) {
      body(i, workers);
      _exit(0);
    }
  }
  for (int i = 0; i < workers; i++) {
    int status;
    if (wait(&status) < 0 || status != 0)
      harness_fail("a worker ended with status 0x%x", status);
  }
}

void driver_barrier(void)
{
  pthread_barrier_wait(&common->barrier);
}

void driver_items(long count, void (*item)(long))
{
  for (long i; (i = atomic_fetch_add(&common->next_item, 1)) < count;)
    item(i);
}
