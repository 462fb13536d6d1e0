/* Tasks for a device have numbers of their own, 1 to 8, one task a number at a time.  A number has its own copies of
   threadprivate variables.  A task that is executed while one for a device waits has its thread's number.  Fails if
   two tasks share a number at once, or if a number stays with the thread.  */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

enum { TIED = 1, TASKS = 200, LAST = 8 };
struct block {
  void *shareds;
  int32_t (*routine)(int32_t, struct block *);
  int32_t part;
  void *data1, *data2;
};
struct block *__kmpc_omp_target_task_alloc(void *, int32_t, int32_t, size_t, size_t,
                                           int32_t (*)(int32_t, struct block *), int64_t);
int32_t __kmpc_omp_task(void *, int32_t, struct block *);
int32_t __kmpc_global_thread_num(void *);
void *__kmpc_threadprivate_cached(void *, int32_t, void *, size_t, void ***);

static int wrong, at_work[LAST + 1], bodies, inner;
static long count_of_number; /* threadprivate by the runtime */
static void **cache;

static void check(int good)
{
  if (!good) {
#pragma omp atomic
    wrong++;
  }
}

static int is_for_device(int32_t number)
{
  return number >= 1 && number <= LAST;
}

static long *copy_of(int32_t number)
{
  return __kmpc_threadprivate_cached(NULL, number, &count_of_number, sizeof count_of_number, &cache);
}

static int32_t body(int32_t number, struct block *block)
{
  int before;
  (void)block;
  check(is_for_device(number) && __kmpc_global_thread_num(NULL) == number);
  if (!is_for_device(number))
    return 0;
#pragma omp atomic capture
  before = at_work[number]++;
  check(before == 0);
  check(copy_of(number) != &count_of_number);
  ++*copy_of(number);
#pragma omp task
  {
    check(!is_for_device(__kmpc_global_thread_num(NULL)));
#pragma omp atomic
    inner++;
  }
#pragma omp taskwait
  check(__kmpc_global_thread_num(NULL) == number && *copy_of(number) > 0);
#pragma omp atomic
  bodies++;
#pragma omp atomic
  at_work[number]--;
  return 0;
}

static void make_tasks(int32_t flags)
{
  for (int i = 0; i < TASKS; i++) {
    struct block *block = __kmpc_omp_target_task_alloc(NULL, __kmpc_global_thread_num(NULL), flags, sizeof *block, 0, body, -1);
    __kmpc_omp_task(NULL, 0, block);
  }
}

/* The flags: tied, and untied, which the runtime executes in parts.  */
int main(void)
{
  for (int threads = 1; threads <= 4; threads++)
    for (int32_t flags = 0; flags <= TIED; flags++) {
#pragma omp parallel num_threads(threads)
      {
        int32_t own = __kmpc_global_thread_num(NULL);
        check(!is_for_device(own));
        make_tasks(flags);
#pragma omp barrier
        check(__kmpc_global_thread_num(NULL) == own);
      }
    }
  check(bodies == 2 * (1 + 2 + 3 + 4) * TASKS && inner == bodies);
  if (wrong != 0)
    printf("%d wrong\n", wrong);
  return wrong != 0;
}
