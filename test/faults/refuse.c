/* Refuses A of each B threads that the runtime creates.  For LD_PRELOAD, where the runtime is part
   of the program.  The runtime's threads begin detached; those of GHC's runtime system do not, and
   are not refused.

     GHCOMP_REFUSE=A/B  */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic unsigned asked;
static unsigned refused, of = 1;

__attribute__((constructor)) static void read_setting(void)
{
  const char *text = getenv("GHCOMP_REFUSE");
  char *end;
  if (text == NULL)
    return;
  refused = (unsigned)strtoul(text, &end, 10);
  if (*end == '/' && strtoul(end + 1, NULL, 10) != 0)
    of = (unsigned)strtoul(end + 1, NULL, 10);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
  static int (*_Atomic real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  int detached = PTHREAD_CREATE_JOINABLE;
  if (attributes != NULL)
    pthread_attr_getdetachstate(attributes, &detached);
  /* Knuth's multiplicative hash, so that the refusals have no regular pattern.  */
  if (detached == PTHREAD_CREATE_DETACHED &&
      (atomic_fetch_add(&asked, 1) * 2654435761u >> 7) % of < refused)
    return EAGAIN;
  if (real == NULL)
    real = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
  return real(thread, attributes, body, argument);
}
