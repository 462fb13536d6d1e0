/* Two masters with regions, nested ones too, tasks with and without dependences, and locks: gdb stops it anywhere, and ends it
   then.  It goes on for some seconds, because a lock is seldom taken that another thread has just then.  */
#include <omp.h>
#include <pthread.h>

static omp_lock_t lock;
static _Atomic long sum;

static long tree(int depth)
{
  long left = 1, right = 1;
  if (depth == 0)
    return 1;
#pragma omp task shared(left)
  left = tree(depth - 1);
#pragma omp task shared(right) priority(depth)
  right = tree(depth - 1);
#pragma omp taskwait
  return left + right;
}

static void chains(void)
{
  int x[4] = {0};
#pragma omp taskgroup
  for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : x[i % 4]) shared(x)
    x[i % 4]++;
#pragma omp task depend(in : x[0], x[1], x[2]) shared(x)
    sum += x[0];
  }
}

static void *master(void *nothing)
{
  omp_set_max_active_levels(2);
  for (int round = 0; round < 30000; round++) {
#pragma omp parallel num_threads(2 + round % 3)
    {
#pragma omp single nowait
      chains();
#pragma omp parallel num_threads(2)
#pragma omp single
      sum += tree(4);
      omp_set_lock(&lock);
      sum++;
      omp_unset_lock(&lock);
#pragma omp for ordered schedule(dynamic, 1)
      for (int i = 0; i < 10; i++)
#pragma omp ordered
        sum++;
    }
  }
  return nothing;
}

int main(void)
{
  pthread_t other;
  omp_init_lock(&lock);
  pthread_create(&other, NULL, master, NULL);
  master(NULL);
  pthread_join(other, NULL);
  return 0;
}
