/* A region begins on a stack of the program's own (a coroutine, a fiber), which is much smaller than the thread's.  A chain of
   tasks, each of which creates the next one, does not overflow it.  The first region of the process begins there, too, and
   one on a native thread's fiber.
   each: OMP_NUM_THREADS=1 OMP_NUM_THREADS=2 OMP_NUM_THREADS=4 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 64 << 10, GUARD = 64 << 10, TASKS = 20000 };

static int done;

static void chain(int left)
{
  __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
  if (left > 1)
#pragma omp task
    chain(left - 1);
}

static void region(void)
{
#pragma omp parallel
#pragma omp single
  chain(TASKS);
}

static _Thread_local ucontext_t back;

/* Returns the number of tasks that were executed.  */
static int run_on_fiber(void)
{
  ucontext_t fiber;
  char *stack = mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED || mprotect(stack, GUARD, PROT_NONE) != 0 || getcontext(&fiber) != 0)
    return -1;
  done = 0;
  fiber.uc_stack.ss_sp = stack + GUARD;
  fiber.uc_stack.ss_size = STACK;
  fiber.uc_link = &back;
  makecontext(&fiber, region, 0);
  swapcontext(&back, &fiber);
  munmap(stack, GUARD + STACK);
  return done;
}

static void *run_thread(void *nothing)
{
  (void)nothing;
  return (void *)(intptr_t)run_on_fiber();
}

int main(void)
{
  pthread_t thread;
  void *on_thread;
  int first = run_on_fiber();
  region(); /* on the thread's own stack */
  int later = run_on_fiber();
  if (pthread_create(&thread, NULL, run_thread, NULL) != 0 || pthread_join(thread, &on_thread) != 0)
    return 2;
  printf("tasks: %d, %d, %d\n", first, later, (int)(intptr_t)on_thread);
  return first != TASKS || later != TASKS || (intptr_t)on_thread != TASKS;
}
