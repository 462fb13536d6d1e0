/* All keys for thread-specific data are taken before the runtime asks for one.  It must work without,
   and leave the keys of the program alone.  */
#include <pthread.h>

enum { MOST = 4096 };

static pthread_key_t keys[MOST];

static void *region(void *unused)
{
  int threads = 0;
  (void)unused;
#pragma omp parallel num_threads(2) reduction(+ : threads)
  threads++;
  return threads == 2 ? NULL : (void *)1;
}

int main(void)
{
  int made = 0, wrong = 0;
  while (made < MOST && pthread_key_create(&keys[made], NULL) == 0)
    pthread_setspecific(keys[made], &keys[made]), made++;
  wrong += made == 0 || made == MOST;
  wrong += region(NULL) != NULL;
  for (int i = 0; i < made; i++)
    wrong += pthread_getspecific(keys[i]) != &keys[i];
  for (int i = 0; i < 20; i++) {
    pthread_t thread;
    void *result = (void *)1;
    if (pthread_create(&thread, NULL, region, NULL) == 0)
      pthread_join(thread, &result);
    wrong += result != NULL;
  }
  return wrong != 0;
}
