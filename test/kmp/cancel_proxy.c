/* A proxy task is complete when something outside says so, and that knows it by its block: also if it is cancelled before it begins.
   So a cancelled group waits for it.  The blocks are too large for the tasks' headers.
   env: OMP_CANCELLATION=true */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { TASKS = 20, ROUNDS = 100, TIED = 1, PROXY = 0x10, BYTES = 600 };

struct task;
int32_t __kmpc_global_thread_num(void *where);
struct task *__kmpc_omp_task_alloc(void *where, int32_t gtid, int32_t flags, size_t size, size_t shareds, int32_t (*body)(int32_t, struct task *));
int32_t __kmpc_omp_task(void *where, int32_t gtid, struct task *task);
void __kmpc_proxy_task_completed_ooo(struct task *task);

static _Atomic(struct task *) submitted[TASKS];
static atomic_int completed;

static int32_t body(int32_t gtid, struct task *task)
{
  (void)gtid, (void)task;
  return 0;
}

static void *complete(void *nothing)
{
  for (int i = 0; i < TASKS; i++) {
    struct task *task;
    while ((task = atomic_exchange(&submitted[i], NULL)) == NULL)
      sched_yield();
    atomic_fetch_add(&completed, 1);
    __kmpc_proxy_task_completed_ooo(task);
  }
  return nothing;
}

static int one_round(int threads)
{
  int after = 0;
  atomic_store(&completed, 0);
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp taskgroup
    {
      for (int i = 0; i < TASKS; i++) {
        int32_t gtid = __kmpc_global_thread_num(NULL);
        struct task *task = __kmpc_omp_task_alloc(NULL, gtid, TIED | PROXY, BYTES, 0, body);
        __kmpc_omp_task(NULL, gtid, task);
        if (i == TASKS / 2) {
#pragma omp task
          {
#pragma omp cancel taskgroup
          }
        }
        atomic_store(&submitted[i], task);
      }
    }
    after = atomic_load(&completed);
  }
  return after;
}

int main(void)
{
  int wrong = 0;
  for (int round = 0; round < ROUNDS; round++) {
    pthread_t other;
    pthread_create(&other, NULL, complete, NULL);
    wrong += one_round(1 + round % 4) != TASKS;
    pthread_join(other, NULL);
  }
  printf("groups that did not wait: %d\n", wrong);
  return wrong != 0;
}
