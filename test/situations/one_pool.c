/* Sixteen native threads start regions of two in turn.  They must share workers: the pool does not grow
   with the number of masters.  */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *master(void *argument)
{
  (void)argument;
  for (int i = 0; i < 50; i++) {
    int sum = 0;
    pthread_mutex_lock(&turn);
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
    total += sum;
    pthread_mutex_unlock(&turn);
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[16];
  unsigned (*workers)(void) = (unsigned (*)(void))dlsym(RTLD_DEFAULT, "ghcomp_workers");
  for (int i = 0; i < 16; i++)
    pthread_create(&threads[i], NULL, master, NULL);
  for (int i = 0; i < 16; i++)
    pthread_join(threads[i], NULL);
  if (total != 16 * 50 * 2)
    return 1;
  return workers() == 1 ? 0 : 2;
}
