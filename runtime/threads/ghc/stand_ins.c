/* What the copy of the RTS calls in place of three functions of the C library, under the names that copy-rts has given them.

   The locale belongs to the whole process, and other threads use it, so the RTS does not set it.

   The RTS starts a thread for each Capability, which looks for Haskell threads.  There are none, so it waits, and nobody ever
   wakes it: a Capability that is released without Haskell threads to run stays free.  Such a thread would be one more than the
   program has started.  It would keep a process alive whose other threads have ended, and the system refuses some calls to
   a process of several threads.  So it ends where it would wait.  For the RTS it still waits, as a spare one; if there were
   none, the RTS would start another.  */
#include "threads/ghc/rts.h"

#include "base/atomics.h"
#include "machine/disturbance.h"

#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

#define STAND_IN __attribute__((visibility("default")))

char *OMtlocale(int category, const char *locale);
int OMhread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int OMhread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);

STAND_IN char *OMtlocale(int category, const char *locale)
{
  (void)category, (void)locale;
  return NULL;
}

/* All threads of the RTS's have one body.  Relaxed: a thread that is started acquires it with its start.  */
static void *(*_Atomic body_of_all)(void *);

/* Of a thread of the RTS's: where it ends.  */
static _Thread_local jmp_buf *end;

static void *run(void *argument)
{
  jmp_buf here;
  if (setjmp(here) != 0)
    return NULL;
  end = &here;
  return load_relaxed(&body_of_all)(argument);
}

STAND_IN int OMhread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
  if (load_relaxed(&body_of_all) == NULL)
    store_relaxed(&body_of_all, body);
  return pthread_create(thread, attributes, body == load_relaxed(&body_of_all) ? run : body, argument);
}

STAND_IN int OMhread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  if (end != NULL) {
    pthread_mutex_unlock(mutex);
    longjmp(*end, 1);
  }
  int cancellation = ghcomp_machine_hold_cancellation();
  int error = pthread_cond_wait(condition, mutex);
  ghcomp_machine_let_cancellation(cancellation);
  return error;
}
