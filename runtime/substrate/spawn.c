/* pthread_create with a stack size.

   A size that the system refuses is not a reason to have no thread: a size
   below the least is raised to it; where no stack of the wanted size can be
   mapped (ulimit -v), the caller hears the error and makes a smaller team.  */
#include "substrate/spawn.h"

#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

/* glibc takes the thread's TLS from its stack too, so PTHREAD_STACK_MIN alone
   can leave nothing for the body.  */
#define ROOM ((size_t)64 << 10)

static size_t usable_stack_size(size_t wanted)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t least = (size_t)PTHREAD_STACK_MIN + ROOM;
  if (wanted < least)
    wanted = least;
  return wanted > SIZE_MAX - page ? SIZE_MAX & ~(page - 1) : (wanted + page - 1) & ~(page - 1);
}

int ghcomp_spawn_thread(void *(*body)(void *), void *argument, size_t stack_size)
{
  pthread_attr_t attributes;
  pthread_t thread;
  int error = pthread_attr_init(&attributes);
  if (error != 0)
    return error;
  error = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (error == 0 && stack_size != 0)
    error = pthread_attr_setstacksize(&attributes, usable_stack_size(stack_size));
  if (error == 0)
    error = pthread_create(&thread, &attributes, body, argument);
  pthread_attr_destroy(&attributes);
  return error;
}
