/* Tries whether the RTS can have what it needs, before it boots, because it ends the process if it
   cannot. (boot.c catches that, too, but then the threads that the RTS did get stay.)

   Threads: one for each Capability but the first, and as many again for the team that the process
   is about to make.  A small allowance (ulimit -u, a container's pids limit) is for the program's
   threads, not for GHC's.

   Addresses: a limit (ulimit -v) is for the program's data.  An RTS that would take a large part of
   it is not started.  */
#include "threads/ghc/rts.h"

#include "base/message.h"
#include "machine/disturbance.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static void *wait_for_release(void *gate)
{
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

static bool stack_can_be_had(void)
{
  pthread_attr_t usual;
  size_t size = 0;
  if (pthread_attr_init(&usual) == 0) {
    pthread_attr_getstacksize(&usual, &size);
    pthread_attr_destroy(&usual);
  }
  void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED)
    return false;
  munmap(stack, size);
  return true;
}

/* pthread_create returns EAGAIN if there may be no further thread, and also if there is no stack
   for it.  */
static const char *why_no_thread(int error)
{
  static char text[96];
  if (!stack_can_be_had())
    return "there is no memory for the stacks of its threads (ulimit -d or -v)";
  if (error == EAGAIN)
    return "this process may have too few threads (ulimit -u, or a container's limit)";
  snprintf(text, sizeof text, "threads cannot be created (%s)", strerror(error));
  return text;
}

/* Starts so many threads at once, with stacks of the same size as the RTS's.  NULL, or the reason
   why it failed.  */
static const char *try_threads(unsigned count)
{
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[2 * GHCOMP_MOST_CAPABILITIES];
  unsigned made = 0;
  int error = 0;
  struct held held = ghcomp_machine_hold(); /* no handler runs on them */
  pthread_mutex_lock(&gate);
  while (made < count && error == 0) {
    error = pthread_create(&threads[made], NULL, wait_for_release, &gate);
    made += error == 0;
  }
  const char *why = error != 0 ? why_no_thread(error) : NULL; /* while the other threads exist */
  pthread_mutex_unlock(&gate);
  for (unsigned i = 0; i < made; i++)
    pthread_join(threads[i], NULL);
  ghcomp_machine_let(held);
  return why;
}

/* Enough for nursery, tables and the stacks of the RTS's threads.  */
#define ADDRESSES ((size_t)512 << 20)

static bool addresses_can_be_had(void)
{
  struct rlimit limit;
  if (!GHCOMP_HEAP_IS_SMALL && getrlimit(RLIMIT_AS, &limit) == 0 &&
      limit.rlim_cur != RLIM_INFINITY)
    return false;
  void *space = mmap(NULL, ADDRESSES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1, 0);
  if (space == MAP_FAILED)
    return false;
  munmap(space, ADDRESSES);
  return true;
}

static bool refuse(const char *why)
{
  ghcomp_message_say("GHC's runtime system is not started, because %s: plain threads are used "
                     "instead of Capabilities", why);
  return false;
}

bool ghcomp_limits_allow(unsigned capabilities)
{
  if (!addresses_can_be_had())
    return refuse("the address space of this process is limited (ulimit -v)");
  const char *why = try_threads(2 * (capabilities - 1));
  return why == NULL || refuse(why);
}
