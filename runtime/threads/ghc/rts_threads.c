/* The threads that the RTS starts when it boots.

   There is one for each Capability but the first, which looks for Haskell threads.  There are none, so it waits, and nobody ever
   wakes it: a Capability that is released without Haskell threads to run stays free.  Such threads would be more than the
   program has started.  They would keep a process alive whose other threads have ended, take the place of the program's where
   threads are few, and the system refuses some calls to a process of several threads.

   So there is one thread only, the finisher.  When the RTS has booted, it does what they would do, one after the other, each up to where
   it would wait.  Then it ends, before the first team is made.  For the RTS its threads wait, as spare ones.  Where it has no spare
   one, it starts one when a thread leaves a Capability: that is a thread of its own, and ends where it would wait.

   The finisher is created before the boot, because an RTS that cannot have its threads ends the process.  It has a stack of the
   runtime's own: when the C library takes one back, it tells the system so (madvise), which a filter may refuse.  */
#include "threads/ghc/rts.h"

#include "base/atomics.h"
#include "machine/disturbance.h"
#include "machine/process.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

/* Written by the thread that boots the RTS; the finisher reads it under `gate`.  */
static struct {
  void *(*body)(void *);
  void *argument;
} threads[GHCOMP_MOST_CAPABILITIES];
static unsigned started;
static bool is_up; /* from the boot on; no thread enters the RTS before */

/* Where the thread that is done at this moment ends; NULL: this thread is not the RTS's.  */
static _Thread_local jmp_buf *end;
enum { WAITS = 1, GAVE_UP = 2 };

/* ------------------------------------------------------------------------ finisher */

static struct {
  pthread_t thread;
  pthread_mutex_t gate; /* held until the RTS has booted */
  void *stack;
  size_t size;
  bool is_there, ok;
} finisher = {.gate = PTHREAD_MUTEX_INITIALIZER};

static bool finish(unsigned number)
{
  jmp_buf here;
  int how = setjmp(here);
  if (how == 0) {
    end = &here;
    threads[number].body(threads[number].argument);
  }
  return how != GAVE_UP;
}

/* A thread that gave up may hold a lock of the RTS's.  */
static void *finish_all(void *unused)
{
  pthread_mutex_lock(&finisher.gate);
  pthread_mutex_unlock(&finisher.gate);
  finisher.ok = true;
  for (unsigned i = 0; i < started && finisher.ok; i++)
    finisher.ok = finish(i);
  return unused;
}

static int create_finisher(void)
{
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0)
    return error;
  error = pthread_attr_setstack(&attributes, finisher.stack, finisher.size);
  if (error == 0)
    error = pthread_create(&finisher.thread, &attributes, finish_all, NULL);
  pthread_attr_destroy(&attributes);
  return error;
}

int ghcomp_rts_threads_prepare(void)
{
  finisher.size = ghcomp_spawn_mapped(GHCOMP_RTS_STACK);
  finisher.stack = ghcomp_machine_map(finisher.size);
  if (finisher.stack == NULL)
    return EAGAIN;
  pthread_mutex_lock(&finisher.gate);
  int error = create_finisher();
  finisher.is_there = error == 0;
  if (error != 0) {
    pthread_mutex_unlock(&finisher.gate);
    ghcomp_machine_unmap(finisher.stack, finisher.size);
  }
  return error;
}

bool ghcomp_rts_threads_finish(bool booted)
{
  is_up = true;
  if (!booted)
    started = 0;
  if (!finisher.is_there)
    return booted;
  pthread_mutex_unlock(&finisher.gate);
  pthread_join(finisher.thread, NULL); /* cancellation is held off */
  ghcomp_machine_unmap(finisher.stack, finisher.size);
  return booted && finisher.ok;
}

void ghcomp_rts_thread_give_up(void)
{
  if (end != NULL)
    longjmp(*end, GAVE_UP);
}

/* ----------------------------------------------------------------------- stand-ins */

int OMhread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int OMhread_detach(pthread_t thread);
int OMhread_setname_np(pthread_t thread, const char *name);
int OMhread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);

/* All threads of the RTS's have one body.  Relaxed: a thread that is started acquires it with its start.  */
static void *(*_Atomic body_of_all)(void *);

static void *run(void *argument)
{
  jmp_buf here;
  if (setjmp(here) != 0)
    return NULL;
  end = &here;
  return load_relaxed(&body_of_all)(argument);
}

/* The RTS only hands the thread on, to the next two functions.  */
GHCOMP_STAND_IN int OMhread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument)
{
  store_relaxed(&body_of_all, body);
  if (is_up)
    return pthread_create(thread, attributes, run, argument);
  if (started == GHCOMP_MOST_CAPABILITIES)
    return EAGAIN;
  threads[started].body = body;
  threads[started].argument = argument;
  started++;
  *thread = pthread_self();
  return 0;
}

GHCOMP_STAND_IN int OMhread_detach(pthread_t thread)
{
  return pthread_equal(thread, pthread_self()) ? 0 : pthread_detach(thread);
}

GHCOMP_STAND_IN int OMhread_setname_np(pthread_t thread, const char *name)
{
  (void)thread, (void)name;
  return 0;
}

GHCOMP_STAND_IN int OMhread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
  if (end != NULL) {
    pthread_mutex_unlock(mutex);
    longjmp(*end, WAITS);
  }
  int cancellation = ghcomp_machine_hold_cancellation();
  int error = pthread_cond_wait(condition, mutex);
  ghcomp_machine_let_cancellation(cancellation);
  return error;
}
