/* A thread that waits in a task must find the tasks that it waits for, also behind other tasks in the
   queues.
   env: OMP_MAX_TASK_PRIORITY=10 */
#include <omp.h>
#include <sched.h>
#include <stdio.h>

enum { ROUNDS = 300 };

static void wait_for(_Atomic int *flag)
{
  while (!*flag)
    sched_yield();
}

/* Waits for a limited time, because the flag may never be set.  */
static void give_time(_Atomic int *flag)
{
  for (int i = 0; i < 1000 && !*flag; i++)
    sched_yield();
}

/* One thread creates a task, and then fulfils an event that releases a task of the other thread.  Both
   tasks must be found.  */
static int released_by_another(void)
{
  int done = 0;
  _Atomic int begun = 0;
  omp_event_handle_t event = 0;
#pragma omp parallel num_threads(2) shared(done, begun, event)
  {
    if (omp_get_thread_num() == 0) {
      int x = 0;
      omp_event_handle_t mine;
#pragma omp task depend(out : x) detach(mine) shared(begun, event, x)
      {
        event = mine;
        begun = 1;
      }
#pragma omp task depend(in : x) shared(done, x)
#pragma omp atomic
      done++;
#pragma omp taskwait
    } else {
      wait_for(&begun);
#pragma omp task shared(done)
#pragma omp atomic
      done++;
      omp_fulfill_event(event);
#pragma omp taskwait
    }
  }
  return done == 2;
}

/* A task waits for its grandchild.  The grandchild is in the deque of another thread, behind an
   unrelated task, and a lock that the waiting task holds blocks that thread.  */
static int behind_another(void)
{
  int done = 0;
  _Atomic int begun = 0, started = 0;
  omp_lock_t lock;
  omp_event_handle_t event = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2) shared(done, begun, started, lock, event)
  {
    if (omp_get_thread_num() == 1) {
#pragma omp task shared(done)
#pragma omp atomic
      done++;
#pragma omp task if (0) shared(done, begun, started, lock, event)
      {
        int x = 0;
#pragma omp taskgroup
        {
#pragma omp task depend(out : x) detach(event) shared(x)
          ;
#pragma omp task depend(in : x) priority(9) shared(lock, done, x)
          {
            omp_set_lock(&lock);
#pragma omp atomic
            done++;
            omp_unset_lock(&lock);
          }
#pragma omp task priority(5) shared(lock, started, done, event)
          {
            omp_set_lock(&lock);
#pragma omp taskgroup
            {
#pragma omp task shared(started, done, event)
              {
                started = 1;
#pragma omp task shared(done)
#pragma omp atomic
                done++;
                omp_fulfill_event(event);
              }
              give_time(&started); /* so that the other thread executes it */
            }
            omp_unset_lock(&lock);
          }
          begun = 1;
        }
      }
    } else {
      wait_for(&begun);
    }
  }
  omp_destroy_lock(&lock);
  return done == 3;
}

int main(void)
{
  for (int i = 0; i < ROUNDS; i++) {
    if (!released_by_another())
      return printf("released by another: round %d\n", i), 1;
    if (!behind_another())
      return printf("behind another: round %d\n", i), 1;
  }
  return 0;
}
