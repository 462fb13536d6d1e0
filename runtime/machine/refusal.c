#include "machine/refusal.h"

#include "machine/process.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

/* 0, or the error.  */
static int try_to_map(size_t size, int access)
{
  void *memory = mmap(NULL, size, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return errno;
  munmap(memory, size);
  return 0;
}

static bool is_limited(int resource)
{
  struct rlimit limit;
  return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/* Addresses without access count for the limit of addresses only.  Pages are locked at once where the process locks all future
   ones, also without access: then the error is another one.  */
static const char *limit_of_memory(int error, bool also_without_access)
{
  if (error == EAGAIN)
    return ": the limit of locked pages, ulimit -l";
  if (error != ENOMEM)
    return "";
  if (also_without_access)
    return is_limited(RLIMIT_AS) ? ": the limit of addresses, ulimit -v" : "";
  return is_limited(RLIMIT_DATA) ? ": the limit of data, ulimit -d" : "";
}

bool ghcomp_machine_no_memory(char text[GHCOMP_REFUSAL], size_t size, bool as_memory)
{
  int error = try_to_map(size, PROT_NONE);
  bool also_without_access = error != 0;
  if (error == 0 && as_memory)
    error = try_to_map(size, PROT_READ | PROT_WRITE);
  if (error == 0)
    return false;
  snprintf(text, GHCOMP_REFUSAL, "mmap of %zu KB: %s%s", size >> 10, strerror(error),
           limit_of_memory(error, also_without_access));
  return true;
}

/* For want of a stack, too, pthread_create returns EAGAIN.  It maps the stack with a guard, a page.  */
bool ghcomp_machine_no_thread(char text[GHCOMP_REFUSAL], int error, size_t stack)
{
  size_t guard = ghcomp_machine_page_size(), size = stack <= SIZE_MAX - guard ? stack + guard : stack;
  if ((error == EAGAIN || error == ENOMEM) && ghcomp_machine_no_memory(text, size, true))
    return true;
  snprintf(text, GHCOMP_REFUSAL, "%s: %s%s", error == ENOMEM ? "malloc" : "clone", strerror(error),
           error == EAGAIN  ? ": the limit of threads, ulimit -u or a container's"
           : error == EPERM ? ": a filter of system calls"
                            : "");
  return error == ENOMEM;
}
