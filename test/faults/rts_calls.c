/* Lets the N-th call of a function by GHC's runtime system fail, or all from the N-th on (N+).  For
   LD_PRELOAD, because the RTS is a ready-made copy.

     GHCOMP_RTS_FAILS=malloc:3     GHCOMP_RTS_REPORT=FILE

   At exit the number of these calls is appended to FILE, followed by "struck" if one failed.  */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static char name[32];
static long first, last;
static _Atomic long calls;

__attribute__((constructor(101))) static void read_settings(void)
{
  const char *text = getenv("GHCOMP_RTS_FAILS"), *colon = text != NULL ? strchr(text, ':') : NULL;
  if (colon == NULL || colon - text >= (long)sizeof name)
    return;
  memcpy(name, text, (size_t)(colon - text));
  char *end;
  first = strtol(colon + 1, &end, 10);
  last = *end == '+' ? __LONG_MAX__ : first;
}

__attribute__((destructor)) static void report(void)
{
  const char *path = getenv("GHCOMP_RTS_REPORT");
  int file = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (file < 0)
    return;
  dprintf(file, "%ld%s\n", atomic_load(&calls), atomic_load(&calls) >= first ? " struck" : "");
  close(file);
}

static bool fails(const char *called, const void *caller)
{
  struct dl_find_object found;
  if (strcmp(called, name) != 0 || _dl_find_object((void *)caller, &found) != 0 ||
      strstr(found.dlfo_link_map->l_name, "/libOMrts") == NULL)
    return false;
  long n = atomic_fetch_add(&calls, 1) + 1;
  return n >= first && n <= last;
}

#define CALL(type, called, parameters, arguments, error, failure) \
  type called parameters; \
  type called parameters \
  { \
    static type (*real) parameters; \
    if (fails(#called, __builtin_return_address(0))) { \
      errno = error; \
      return failure; \
    } \
    if (real == NULL) \
      real = (type(*) parameters)dlsym(RTLD_NEXT, #called); \
    return real arguments; \
  }

/* dlsym calls the functions that these replace.  */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

void *malloc(size_t size)
{
  return fails("malloc", __builtin_return_address(0)) ? (errno = ENOMEM, NULL) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
  return fails("calloc", __builtin_return_address(0)) ? (errno = ENOMEM, NULL) : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
  return fails("realloc", __builtin_return_address(0)) ? (errno = ENOMEM, NULL) : __libc_realloc(block, size);
}

CALL(void *, mmap, (void *at, size_t size, int protection, int flags, int file, off_t offset),
     (at, size, protection, flags, file, offset), ENOMEM, MAP_FAILED)
CALL(int, madvise, (void *at, size_t size, int advice), (at, size, advice), EINVAL, -1)
CALL(int, mprotect, (void *at, size_t size, int protection), (at, size, protection), ENOMEM, -1)
CALL(int, pthread_key_create, (pthread_key_t * key, void (*destructor)(void *)), (key, destructor), EAGAIN, EAGAIN)
CALL(int, pthread_mutex_init, (pthread_mutex_t * mutex, const pthread_mutexattr_t *attributes),
     (mutex, attributes), ENOMEM, ENOMEM)
CALL(int, pthread_cond_init, (pthread_cond_t * condition, const pthread_condattr_t *attributes),
     (condition, attributes), ENOMEM, ENOMEM)
CALL(int, getrlimit, (__rlimit_resource_t resource, struct rlimit *limit), (resource, limit), EPERM, -1)
CALL(int, sched_getaffinity, (pid_t who, size_t size, cpu_set_t *set), (who, size, set), EPERM, -1)
CALL(int, sched_setaffinity, (pid_t who, size_t size, const cpu_set_t *set), (who, size, set), EPERM, -1)
CALL(locale_t, newlocale, (int mask, const char *locale, locale_t base), (mask, locale, base), ENOMEM, (locale_t)0)
CALL(char *, strdup, (const char *text), (text), ENOMEM, NULL)
CALL(FILE *, fopen, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
