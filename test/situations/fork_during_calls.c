/* A process forks while its other threads hold locks of the runtime.  The child must find these locks
   free.  */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 300 };

static _Atomic int over;
static omp_allocator_handle_t pinned;

static void allocate(void)
{
  void *memory = omp_alloc(100, pinned);
  if (memory == NULL)
    exit(77);
  omp_free(memory, pinned);
}

static void format(void)
{
  char text[100];
  if (omp_get_affinity_format(text, sizeof text) == 0)
    exit(78);
}

static void *call(void *function)
{
  while (!over)
    ((void (*)(void))function)();
  return NULL;
}

static int fork_once(void)
{
  int status;
  pid_t pid = fork();
  if (pid == 0) {
    allocate();
    format();
    _exit(0);
  }
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(void)
{
  omp_alloctrait_t trait = {omp_atk_pinned, omp_atv_true};
  pthread_t threads[2];
  int good = 0;
  pinned = omp_init_allocator(omp_default_mem_space, 1, &trait);
  pthread_create(&threads[0], NULL, call, (void *)allocate);
  pthread_create(&threads[1], NULL, call, (void *)format);
  for (int i = 0; i < FORKS; i++)
    good += fork_once();
  over = 1;
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  return good != FORKS;
}
