/* The C library's mutexes and condition variables, reduced to their traffic: a mutex is one word (0 free, 1 taken, 2 somebody
   sleeps), a condition variable has a count of its signals and one of its waiters, on one line.  */
#include "futex.h"

#include <errno.h>
#include <pthread.h>

struct mutex {
  uint32_t word;
};
struct condition {
  uint32_t signals, waiters;
};
_Static_assert(sizeof(struct mutex) <= sizeof(pthread_mutex_t), "it must fit");
_Static_assert(sizeof(struct condition) <= sizeof(pthread_cond_t), "it must fit");

static void lock(struct mutex *x, uintptr_t place)
{
  touch(x, UPDATE, place);
  if (x->word == 0) {
    x->word = 1;
    return;
  }
  for (;;) {
    touch(x, UPDATE, place);
    uint32_t was = x->word;
    x->word = 2;
    if (was == 0)
      return;
    scale_futex_wait(&x->word, 2, EVER, place);
  }
}

static void unlock(struct mutex *x, uintptr_t place)
{
  touch(x, UPDATE, place);
  uint32_t was = x->word;
  x->word = 0;
  if (was == 2)
    scale_futex_wake(&x->word, 1, place);
}

static int wait_for(struct condition *c, struct mutex *x, ps until, uintptr_t place)
{
  touch(c, UPDATE, place);
  c->waiters++;
  uint32_t seen = c->signals;
  unlock(x, place);
  int error = scale_futex_wait(&c->signals, seen, until, place);
  touch(c, UPDATE, place);
  c->waiters--;
  lock(x, place);
  return error == ETIMEDOUT ? error : 0;
}

static void signal_to(struct condition *c, long most, uintptr_t place)
{
  touch(c, READ, place);
  if (c->waiters == 0)
    return;
  touch(c, UPDATE, place);
  c->signals++;
  scale_futex_wake(&c->signals, most, place);
}

int __wrap_pthread_mutex_init(pthread_mutex_t *x, const pthread_mutexattr_t *a)
{
  (void)a;
  clear(x, sizeof *x);
  return 0;
}

int __wrap_pthread_mutex_destroy(pthread_mutex_t *x) { (void)x; return 0; }
int __wrap_pthread_mutex_lock(pthread_mutex_t *x) { lock((struct mutex *)x, PLACE); return 0; }
int __wrap_pthread_mutex_unlock(pthread_mutex_t *x) { unlock((struct mutex *)x, PLACE); return 0; }

int __wrap_pthread_mutex_trylock(pthread_mutex_t *x)
{
  struct mutex *own = (struct mutex *)x;
  touch(own, UPDATE, PLACE);
  if (own->word != 0)
    return EBUSY;
  own->word = 1;
  return 0;
}

int __wrap_pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a)
{
  (void)a;
  clear(c, sizeof *c);
  return 0;
}

int __wrap_pthread_cond_destroy(pthread_cond_t *c) { (void)c; return 0; }

int __wrap_pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *x)
{
  return wait_for((struct condition *)c, (struct mutex *)x, EVER, PLACE);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *x, const struct timespec *t)
{
  ps end = since(t);
  return wait_for((struct condition *)c, (struct mutex *)x, end > BEFORE_START ? end - BEFORE_START : 0, PLACE);
}

int __wrap_pthread_cond_signal(pthread_cond_t *c) { signal_to((struct condition *)c, 1, PLACE); return 0; }
int __wrap_pthread_cond_broadcast(pthread_cond_t *c) { signal_to((struct condition *)c, MOST, PLACE); return 0; }
