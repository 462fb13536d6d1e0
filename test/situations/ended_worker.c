/* After a worker has ended, the destructors of its thread-local data run.  The runtime must treat it as
   any other thread there: outside of every region and able to start one, although its descriptor may be
   in use again.  */
#include <omp.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_key_t key;
static sem_t in_destructor, go_on, has_looked;
static int levels[2], size, sum;

static void destroy(void *nothing)
{
  (void)nothing;
  sem_post(&in_destructor);
  sem_wait(&go_on); /* until a region has a worker that uses the next free descriptor */
  levels[0] = omp_get_level();
  size = omp_get_num_threads();
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum += omp_get_level();
  levels[1] = omp_get_level();
  sem_post(&has_looked);
}

int main(void)
{
  int in_region = 0;
  pthread_key_create(&key, destroy);
  sem_init(&in_destructor, 0, 0);
  sem_init(&go_on, 0, 0);
  sem_init(&has_looked, 0, 0);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    pthread_setspecific(key, &key);
  if (omp_pause_resource_all(omp_pause_soft) != 0)
    return 1;
  sem_wait(&in_destructor);
#pragma omp parallel num_threads(2) reduction(+ : in_region)
  if (omp_get_thread_num() == 1) {
    sem_post(&go_on);
    sem_wait(&has_looked);
    in_region += omp_get_level() == 1;
  }
  if (in_region != 1 || levels[0] != 0 || levels[1] != 0 || size != 1)
    return 2;
  return sum == 2 ? 0 : 3;
}
