/* A handler of a signal may start a region while its thread allocates in the runtime.  The handler's region must not allocate then,
   because the interrupted code may hold the lock of malloc.  Here each call of an allocation function is interrupted.
   link: -rdynamic */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

enum { TASKS = 20, LOOPS = 40, LARGE = 3000 };

static _Atomic int armed, interrupted, allocated, wrong;
static _Thread_local volatile sig_atomic_t in_allocation;

static void interrupt(void)
{
  if (in_allocation) {
    allocated++;
    return;
  }
  if (!armed)
    return;
  in_allocation = 1;
  raise(SIGUSR1);
  in_allocation = 0;
}

void *malloc(size_t size)
{
  interrupt();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  interrupt();
  return __libc_calloc(count, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
  interrupt();
  return __libc_memalign(alignment, size);
}

void free(void *memory)
{
  interrupt();
  __libc_free(memory);
}

static void handler(int signal)
{
  (void)signal;
  if (!in_allocation) /* it was blocked then */
    return;
  long sum = 0, chunks = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
#pragma omp parallel num_threads(3) reduction(+ : chunks)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 10; i++)
      chunks += i;
#pragma omp single
    chunks += 1000;
  }
  wrong += sum != 4950 || chunks != 1045;
  interrupted++;
}

/* --------------------------------------------------------- what allocates */

static long growing_teams(void)
{
  long threads = 0;
  for (int n = 1; n < 9; n++) {
#pragma omp parallel num_threads(n) reduction(+ : threads)
    {
#pragma omp parallel num_threads(2) reduction(+ : threads)
      threads++;
    }
  }
  return threads == 72;
}

static long task_reductions(void)
{
  long sum = 0, part = 0, loop = 0;
#pragma omp parallel num_threads(3) reduction(task, + : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum++;
#pragma omp for reduction(task, + : loop) schedule(dynamic)
    for (int i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(+ : loop)
      loop++;
    }
#pragma omp single
#pragma omp taskgroup task_reduction(+ : part)
    for (int i = 0; i < TASKS; i++) {
#pragma omp task in_reduction(+ : part)
      part++;
    }
  }
  return sum == 3 && part == TASKS && loop == TASKS;
}

static long large_tasks(void)
{
  struct {
    char bytes[LARGE];
  } block;
  long sum = 0, parts = 0;
  memset(&block, 1, sizeof block);
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int i = 0; i < TASKS; i++) {
#pragma omp task firstprivate(block) shared(sum) priority(i % 3)
      {
        omp_set_num_threads(2 + i % 3);
#pragma omp atomic
        sum += block.bytes[i];
      }
    }
#pragma omp taskloop reduction(+ : parts) num_tasks(TASKS)
    for (int i = 0; i < TASKS; i++)
      parts++;
  }
  return sum == TASKS && parts == TASKS;
}

static long chains_of_tasks(void)
{
  long done = 0, places[TASKS] = {0};
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 0; i < 10 * TASKS; i++) {
#pragma omp task depend(inout : places[i % TASKS]) depend(in : places[(i + 1) % TASKS]) shared(done)
    {
#pragma omp atomic
      done++;
    }
  }
  return done == 10 * TASKS;
}

static long loops_without_waiting(void)
{
  long sum = 0, ordered = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  for (int n = 0; n < LOOPS; n++) {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 3; i++)
      sum++;
  }
#pragma omp parallel for num_threads(3) ordered(1) shared(ordered) schedule(static, 1)
  for (int i = 1; i < LOOPS; i++) {
#pragma omp ordered depend(sink : i - 1)
    ordered += i;
#pragma omp ordered depend(source)
  }
  return sum == 3 * LOOPS && ordered == LOOPS * (LOOPS - 1) / 2;
}

static long allocators(void)
{
  omp_alloctrait_t trait = {omp_atk_pool_size, 100000};
  omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 1, &trait);
  void *memory = omp_alloc(1000, allocator);
  long all = memory != NULL;
  omp_free(memory, allocator);
  omp_destroy_allocator(allocator);
  omp_set_affinity_format("a longer format than the one before: %n of %N");
  return all;
}

/* The program's own threads begin and end while nobody is interrupted.  */
static pthread_barrier_t together;

static void *be_master(void *nothing)
{
  omp_set_max_active_levels(2);
  pthread_barrier_wait(&together);
  armed = 1;
  for (int round = 0; round < 5; round++)
    wrong += !growing_teams() + !task_reductions() + !large_tasks() + !chains_of_tasks() + !loops_without_waiting() +
             !allocators();
  pthread_barrier_wait(&together);
  armed = 0;
  return nothing;
}

int main(void)
{
  struct sigaction action = {.sa_handler = handler};
  pthread_t others[2];
  sigaction(SIGUSR1, &action, NULL);
#pragma omp parallel num_threads(2)
  ;
  pthread_barrier_init(&together, NULL, 3);
  for (int i = 0; i < 2; i++)
    pthread_create(&others[i], NULL, be_master, NULL);
  be_master(NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(others[i], NULL);
  if (allocated != 0 || wrong != 0 || interrupted < 100)
    printf("%d allocations in handlers, %d wrong results, %d interruptions\n", allocated, wrong, interrupted);
  return allocated != 0 || wrong != 0 || interrupted < 100;
}
