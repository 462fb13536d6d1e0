/* pthread_create with a stack size.

   A size that the system would refuse still gives a thread: a size below the least is raised to it.
   The process's thread-local variables, which glibc puts on the stack, are added.  If no stack of
   that size can be mapped (ulimit -v), the caller gets the error and makes a smaller team.  */
#include "threads/substrate.h"

#include "base/atomics.h"
#include "machine/process.h"
#include "machine/thread.h"

#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* For the body, and for thread-local data of the C library and the loader.  */
#define ROOM ((size_t)64 << 10)

static int add_thread_local(struct dl_phdr_info *info, size_t size, void *sum)
{
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      *(size_t *)sum += info->dlpi_phdr[i].p_memsz + info->dlpi_phdr[i].p_align;
  return 0;
}

/* The thread-local variables of everything that is loaded. glibc takes only those of the program's
   start from the stack, so this is enough.  */
static size_t thread_local_size(void)
{
  static _Atomic size_t known; /* each thread that computes it finds enough */
  size_t sum = load_relaxed(&known);
  if (sum != 0)
    return sum;
  dl_iterate_phdr(add_thread_local, &sum);
  store_relaxed(&known, sum);
  return sum;
}

/* The size of a stack of which a thread can use `wanted` bytes, and which is enough to start at
   all.  */
static size_t usable_stack_size(size_t wanted)
{
  size_t page = ghcomp_machine_page_size(), size;
  size_t least = (size_t)PTHREAD_STACK_MIN + ROOM;
  if (__builtin_add_overflow(wanted < least ? least : wanted, thread_local_size() + page - 1, &size))
    size = SIZE_MAX;
  return size & ~(page - 1);
}

size_t ghcomp_spawn_mapped(size_t stack_size)
{
  return stack_size != 0 ? usable_stack_size(stack_size) : ghcomp_machine_usual_stack();
}

/* The guard is a page, and the C library's data of the thread lie in another one.  */
size_t ghcomp_spawn_usable(size_t stack_size)
{
  size_t size = ghcomp_spawn_mapped(stack_size), taken = thread_local_size() + 2 * ghcomp_machine_page_size();
  return size > taken ? size - taken : 0;
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
