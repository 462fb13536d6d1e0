/* No handler of the program's runs on a worker that has ended: the C library has locks of its allocator there, and a region that
   a handler starts would wait for them.  A signal for the worker alone is lost with it.  */
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static pthread_key_t key;
static sem_t destroyed;
static _Atomic int in_worker, ending, in_handlers, in_ended;

static void handler(int signal)
{
  (void)signal;
  in_handlers++;
  in_ended += ending;
}

static void destroy(void *nothing)
{
  (void)nothing;
  ending = 1;
  pthread_kill(pthread_self(), SIGUSR1);
  ending = 0;
  sem_post(&destroyed);
}

int main(void)
{
  pthread_key_create(&key, destroy);
  sem_init(&destroyed, 0, 0);
  signal(SIGUSR1, handler);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    in_worker = 1;
    pthread_setspecific(key, &key);
    pthread_kill(pthread_self(), SIGUSR1);
  }
  if (in_worker != 1 || in_handlers != 1) /* workers of a region do have handlers */
    return 1;
  if (omp_pause_resource_all(omp_pause_soft) != 0)
    return 2;
  sem_wait(&destroyed);
  return in_ended == 0 ? 0 : 3;
}
