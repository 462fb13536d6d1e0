/* What a virtual thread calls when it ends: the destructors of its values for keys.  Its lender never ends, so the C library would
   never call them, and a runtime would take the thread for one that is still there.  */
#include "engine.h"

#include <limits.h>
#include <pthread.h>

static struct {
  pthread_key_t key;
  void (*destroy)(void *);
} with_destructor[PTHREAD_KEYS_MAX];
static int count;

int __real_pthread_key_create(pthread_key_t *, void (*)(void *));
int __real_pthread_key_delete(pthread_key_t);

int __wrap_pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
  int error = __real_pthread_key_create(key, destroy);
  if (error == 0 && destroy != NULL) {
    with_destructor[count].key = *key;
    with_destructor[count++].destroy = destroy;
  }
  return error;
}

int __wrap_pthread_key_delete(pthread_key_t key)
{
  for (int i = 0; i < count; i++)
    if (with_destructor[i].key == key) {
      with_destructor[i] = with_destructor[--count];
      break;
    }
  return __real_pthread_key_delete(key);
}

static bool destroy_values(void)
{
  bool any = false;
  for (int i = 0; i < count; i++) {
    void *value = pthread_getspecific(with_destructor[i].key);
    if (value == NULL)
      continue;
    any = true;
    pthread_setspecific(with_destructor[i].key, NULL);
    with_destructor[i].destroy(value);
  }
  return any;
}

/* A destructor may make new values.  */
void call_destructors(void)
{
  for (int i = 0; i < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values(); i++)
    ;
}
