/* pthread_create with a stack size.  */
#include "substrate/spawn.h"

#include <limits.h>
#include <pthread.h>
#include <unistd.h>

static size_t usable_stack_size(size_t wanted)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t least = (size_t)PTHREAD_STACK_MIN;
  if (wanted < least)
    wanted = least;
  return (wanted + page - 1) & ~(page - 1);
}

int ghcomp_spawn_thread(void *(*body)(void *), void *argument, size_t stack_size)
{
  pthread_attr_t attributes;
  pthread_t thread;
  int error = pthread_attr_init(&attributes);
  if (error != 0)
    return error;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  if (stack_size != 0)
    pthread_attr_setstacksize(&attributes, usable_stack_size(stack_size));
  error = pthread_create(&thread, &attributes, body, argument);
  pthread_attr_destroy(&attributes);
  return error;
}
