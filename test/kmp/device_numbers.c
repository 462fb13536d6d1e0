/* Tasks for a device have numbers of their own, 1 to 8, one task a number at a time, nested ones too.  A number has its
   own copies of threadprivate variables.  A task that is executed while one for a device waits has its thread's
   number.  Fails if two tasks share a number at once, if a number stays with the thread, or if a forked child misses
   the numbers of threads that it does not have.  */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIED = 1, TASKS = 200, LAST = 8 };
struct block {
  void *shareds;
  int32_t (*routine)(int32_t, struct block *);
  int32_t part;
  void *data1, *data2;
};
struct block *__kmpc_omp_task_alloc(void *, int32_t, int32_t, size_t, size_t, int32_t (*)(int32_t, struct block *));
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

static void make_task(int32_t flags, int32_t (*routine)(int32_t, struct block *))
{
  struct block *block =
      __kmpc_omp_target_task_alloc(NULL, __kmpc_global_thread_num(NULL), flags, sizeof *block, 0, routine, -1);
  __kmpc_omp_task(NULL, 0, block);
}

static void make_tasks(int32_t flags)
{
  for (int i = 0; i < TASKS; i++)
    make_task(flags, body);
}

/* Nested as often as there are numbers: all differ.  */
static int depth;
static int32_t nested_body(int32_t number, struct block *block)
{
  (void)block;
  check(is_for_device(number) && at_work[number] == 0);
  if (!is_for_device(number))
    return 0;
  at_work[number] = 1;
  if (++depth < LAST) {
    make_task(TIED, nested_body);
#pragma omp taskwait
  }
  check(__kmpc_global_thread_num(NULL) == number);
  at_work[number] = 0;
  return 0;
}

static void nest(void)
{
  depth = 0;
  make_task(TIED, nested_body);
#pragma omp taskwait
  check(depth == LAST);
}

/* The child has one thread.  While it was made, others had numbers.  */
static void fork_among_tasks(void)
{
  int status = -1;
#pragma omp parallel num_threads(4)
  {
    make_tasks(TIED);
#pragma omp master
    {
      pid_t child = fork();
      if (child == 0) {
        for (int i = 1; i <= LAST; i++)
          at_work[i] = 0;
        wrong = 0;
        nest();
        _exit(wrong != 0);
      }
      check(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    }
  }
}

/* Clang 23 says with other bits that a task is in threadset(omp_pool), and that it is transparent: both are usual
   tasks, with their thread's number.  */
static int usual_bodies;
static int32_t usual_body(int32_t number, struct block *block)
{
  (void)block;
  check(!is_for_device(number) && __kmpc_global_thread_num(NULL) == number);
#pragma omp atomic
  usual_bodies++;
  return 0;
}

static void usual_tasks(void)
{
  enum { THREADSET_POOL = 0x80, TRANSPARENT = 0x100 };
  static const int32_t bits[] = {THREADSET_POOL, TRANSPARENT, THREADSET_POOL | TRANSPARENT};
#pragma omp parallel num_threads(3)
  for (int i = 0; i < 3 * TASKS; i++) {
    int32_t own = __kmpc_global_thread_num(NULL);
    __kmpc_omp_task(NULL, own, __kmpc_omp_task_alloc(NULL, own, TIED | bits[i % 3], sizeof(struct block), 0, usual_body));
  }
  check(usual_bodies == 3 * 3 * TASKS);
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
  nest();
  usual_tasks();
  for (int i = 0; i < 60; i++)
    fork_among_tasks();
  if (wrong != 0)
    printf("%d wrong\n", wrong);
  return wrong != 0;
}
