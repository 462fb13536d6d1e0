/* pthread_create with a stack size.

   A size that the system refuses is not a reason to have no thread: a size
   below the least is raised to it; where no stack of the wanted size can be
   mapped (ulimit -v), the caller hears the error and makes a smaller team.  */
#include "substrate/spawn.h"

#include "substrate/machine.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc takes the thread's TLS from its stack too, so PTHREAD_STACK_MIN alone
   can leave nothing for the body.  */
#define ROOM ((size_t)64 << 10)

#define MASK_SIZE CPU_ALLOC_SIZE(MAX_PROCESSORS)

static size_t usable_stack_size(size_t wanted)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t least = (size_t)PTHREAD_STACK_MIN + ROOM;
  if (wanted < least)
    wanted = least;
  return wanted > SIZE_MAX - page ? SIZE_MAX & ~(page - 1) : (wanted + page - 1) & ~(page - 1);
}

struct beginning {
  void *(*body)(void *);
  void *argument;
  cpu_set_t *allowed; /* the creator's */
};

static void *run_anywhere(void *argument)
{
  struct beginning beginning = *(struct beginning *)argument;
  sched_setaffinity(0, MASK_SIZE, beginning.allowed);
  CPU_FREE(beginning.allowed);
  free(argument);
  return beginning.body(beginning.argument);
}

/* A thread that begins elsewhere than on the processor, if another is allowed.  NULL: it is
   not, or there is no memory.  */
static struct beginning *begin_elsewhere(pthread_attr_t *attributes, int processor,
                                         void *(*body)(void *), void *argument)
{
  struct beginning *beginning = malloc(sizeof *beginning);
  cpu_set_t *allowed = CPU_ALLOC(MAX_PROCESSORS), *others = CPU_ALLOC(MAX_PROCESSORS);
  bool ok = beginning != NULL && allowed != NULL && others != NULL &&
            sched_getaffinity(0, MASK_SIZE, allowed) == 0;
  if (ok) {
    memcpy(others, allowed, MASK_SIZE);
    CPU_CLR_S(processor, MASK_SIZE, others);
    ok = CPU_COUNT_S(MASK_SIZE, others) != 0 &&
         pthread_attr_setaffinity_np(attributes, MASK_SIZE, others) == 0;
  }
  CPU_FREE(others);
  if (ok) {
    *beginning = (struct beginning){body, argument, allowed};
    return beginning;
  }
  CPU_FREE(allowed);
  free(beginning);
  return NULL;
}

int ghcomp_spawn_thread(void *(*body)(void *), void *argument, size_t stack_size, int avoid)
{
  pthread_attr_t attributes;
  pthread_t thread;
  struct beginning *beginning = NULL;
  int error = pthread_attr_init(&attributes);
  if (error != 0)
    return error;
  error = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (error == 0 && stack_size != 0)
    error = pthread_attr_setstacksize(&attributes, usable_stack_size(stack_size));
  if (error == 0 && avoid >= 0)
    beginning = begin_elsewhere(&attributes, avoid, body, argument);
  if (error == 0 && beginning != NULL)
    error = pthread_create(&thread, &attributes, run_anywhere, beginning);
  else if (error == 0)
    error = pthread_create(&thread, &attributes, body, argument);
  if (error != 0 && beginning != NULL) {
    CPU_FREE(beginning->allowed);
    free(beginning);
  }
  pthread_attr_destroy(&attributes);
  return error;
}
