/* Random faults, for the build of `make faults`.  The linker redirects the runtime's calls of the
   system to this file (the list is in `doors`), and atomics.h calls it after atomic operations.
   The runtime's own files do not change.

   GHCOMP_FAULTS says which faults happen, and how often, in this build only:

     seed=N,memory=A/B,thread=A/B,system=A/B,early=A/B,delay=A/B,after=N,most=N,report=FILE

   Without GHCOMP_FAULTS there are no faults.  `after` spares the first N chances of each thread, so
   that a program gets past its start.  A thread is delayed at most `most` times, so that a long
   program ends in time.  The same seed gives a thread the same sequence; threads are numbered in
   the order of their first calls of this file.  At exit one line is appended to FILE: for each
   kind, how many chances led to a fault, and how many blocks of memory are lost (blocks.c).  */
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <sys/uio.h>

/* ----------------------------------------------------------------------- settings */

static const char *const names[FAULTS] = {"memory", "thread", "system", "early", "delay"};

static struct {
  bool read;
  uint64_t seed, after, most; /* most: 0 means no bound */
  uint32_t limit[FAULTS]; /* of 2^32: a random number below it is a fault */
  char report[256];
} settings;

static _Atomic unsigned long chances[FAULTS], struck[FAULTS];
static _Atomic unsigned threads;
static _Thread_local uint64_t state; /* 0: this thread has not called this file yet */
static _Thread_local uint64_t met, delays;

static _Noreturn void refuse(const char *text)
{
  dprintf(STDERR_FILENO, "ghcomp: GHCOMP_FAULTS=%.200s: expected seed=N, after=N, most=N, report=FILE and "
          "memory, thread, system, early or delay=A/B, with commas between; the program ends here\n", text);
  _exit(2);
}

/* Reads A/B, where A is at most B, as a part of 2^32.  */
static bool read_rate(const char *text, uint32_t *limit)
{
  char *end;
  unsigned long long a = strtoull(text, &end, 10);
  if (end == text || *end != '/' || text[0] == '-')
    return false;
  const char *rest = end + 1;
  unsigned long long b = strtoull(rest, &end, 10);
  if (end == rest || *end != '\0' || rest[0] == '-' || b == 0 || b > UINT32_MAX || a > b)
    return false;
  *limit = a == b ? UINT32_MAX : (uint32_t)(((uint64_t)a << 32) / b);
  return true;
}

static bool read_number(const char *text, uint64_t *number)
{
  char *end;
  *number = strtoull(text, &end, 10);
  return end != text && *end == '\0' && text[0] != '-';
}

static bool read_setting(char *name)
{
  char *value = strchr(name, '=');
  if (value == NULL)
    return false;
  *value++ = '\0';
  if (strcmp(name, "seed") == 0)
    return read_number(value, &settings.seed);
  if (strcmp(name, "after") == 0)
    return read_number(value, &settings.after);
  if (strcmp(name, "most") == 0)
    return read_number(value, &settings.most);
  if (strcmp(name, "report") == 0)
    return snprintf(settings.report, sizeof settings.report, "%s", value) < (int)sizeof settings.report;
  for (unsigned i = 0; i < FAULTS; i++)
    if (strcmp(name, names[i]) == 0)
      return read_rate(value, &settings.limit[i]);
  return false;
}

/* Runs before all constructors of the runtime.  */
__attribute__((constructor(101))) static void read_settings(void)
{
  const char *text = getenv("GHCOMP_FAULTS");
  char copy[512], *rest = copy, *one;
  if (text == NULL || *text == '\0')
    return;
  if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
    refuse(text);
  while ((one = strsep(&rest, ",")) != NULL)
    if (!read_setting(one))
      refuse(text);
  settings.read = true;
}

bool ghcomp_faults_count_blocks(void)
{
  return settings.report[0] != '\0';
}

/* ------------------------------------------------------------------------- chance */

/* Vigna's splitmix64.  */
uint64_t ghcomp_faults_random(void)
{
  if (state == 0)
    state = (settings.seed + 1) * 0xd1342543de82ef95u +
            atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) * 0xa0761d6478bd642fu;
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

bool ghcomp_faults_strike(enum fault kind, unsigned rarer)
{
  if (settings.limit[kind] == 0 || (kind == FAULT_DELAY && settings.most != 0 && delays >= settings.most))
    return false;
  if (met < settings.after) {
    met++;
    return false;
  }
  atomic_fetch_add_explicit(&chances[kind], 1, memory_order_relaxed);
  uint64_t random = ghcomp_faults_random();
  if ((uint32_t)random >= settings.limit[kind] || (random >> 32) % rarer != 0)
    return false;
  atomic_fetch_add_explicit(&struck[kind], 1, memory_order_relaxed);
  return true;
}

int __real_nanosleep(const struct timespec *time, struct timespec *left);

static void hold_up(void)
{
  delays++;
  int saved = errno;
  uint64_t random = ghcomp_faults_random();
  if (random % 2 == 0) {
    for (unsigned i = (random >> 8) % 16; i > 0; i--)
      sched_yield();
  } else {
    long most = random % 16 == 1 ? 1000000 : 50000;
    struct timespec time = {0, (long)((random >> 8) % (uint64_t)most)};
    __real_nanosleep(&time, NULL);
  }
  errno = saved;
}

__attribute__((visibility("hidden"))) void ghcomp_faults_delay(void)
{
  if (ghcomp_faults_strike(FAULT_DELAY, 1))
    hold_up();
}

__attribute__((visibility("hidden"))) void ghcomp_faults_delay_rarely(void)
{
  if (ghcomp_faults_strike(FAULT_DELAY, 8))
    hold_up();
}

/* -------------------------------------------------------------------------- memory */

/* The runtime is built with frame pointers here.  */
#define CALLERS __builtin_return_address(0), __builtin_return_address(1)
#define DOOR(type, name, ...) \
  type __real_##name(__VA_ARGS__); \
  type __wrap_##name(__VA_ARGS__); \
  type __wrap_##name(__VA_ARGS__)

static bool no_memory(void)
{
  if (!ghcomp_faults_strike(FAULT_MEMORY, 1))
    return false;
  errno = ENOMEM;
  return true;
}

static void *made(void *block, size_t size, void *by, void *before)
{
  if (block != NULL && ghcomp_faults_count_blocks())
    ghcomp_faults_block_made(block, size, by, before);
  return block;
}

static void gone(void *block)
{
  if (block != NULL && ghcomp_faults_count_blocks())
    ghcomp_faults_block_gone(block);
}

/* The runtime must not rely on what malloc leaves in a block.  */
DOOR(void *, malloc, size_t size)
{
  void *block = no_memory() ? NULL : __real_malloc(size);
  if (block != NULL && settings.read)
    memset(block, 0xa5, size);
  return made(block, size, CALLERS);
}

DOOR(void *, calloc, size_t count, size_t size)
{
  return made(no_memory() ? NULL : __real_calloc(count, size), count * size, CALLERS);
}

DOOR(void *, aligned_alloc, size_t alignment, size_t size)
{
  return made(no_memory() ? NULL : __real_aligned_alloc(alignment, size), size, CALLERS);
}

DOOR(char *, strdup, const char *text)
{
  return made(no_memory() ? NULL : __real_strdup(text), strlen(text) + 1, CALLERS);
}

DOOR(char *, strndup, const char *text, size_t most)
{
  return made(no_memory() ? NULL : __real_strndup(text, most), strnlen(text, most) + 1, CALLERS);
}

/* Variadic, so the door makes the call that takes a list.  */
int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_vasprintf(char **text, const char *format, va_list arguments);
int __real_vasprintf(char **text, const char *format, va_list arguments);

int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
  int length = no_memory() ? -1 : __real_vasprintf(text, format, arguments);
  if (length >= 0)
    made(*text, (size_t)length + 1, CALLERS);
  return length;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  int length = __wrap_vasprintf(text, format, arguments);
  va_end(arguments);
  return length;
}

DOOR(void, free, void *block)
{
  gone(block);
  __real_free(block);
}

DOOR(ssize_t, getline, char **line, size_t *size, FILE *file)
{
  return no_memory() ? -1 : __real_getline(line, size, file);
}

DOOR(ssize_t, __getdelim, char **line, size_t *size, int end, FILE *file)
{
  return no_memory() ? -1 : __real___getdelim(line, size, end, file);
}

/* ------------------------------------------------------------------------- threads */

struct beginning {
  void *(*body)(void *);
  void *argument;
};

static void *begin_late(void *argument)
{
  struct beginning beginning = *(struct beginning *)argument;
  __real_free(argument);
  ghcomp_faults_delay();
  return beginning.body(beginning.argument);
}

DOOR(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
     void *argument)
{
  if (ghcomp_faults_strike(FAULT_THREAD, 1))
    return EAGAIN;
  struct beginning *beginning = __real_malloc(sizeof *beginning);
  if (beginning == NULL)
    return ENOMEM;
  *beginning = (struct beginning){body, argument};
  int error = __real_pthread_create(thread, attributes, begin_late, beginning);
  if (error != 0)
    __real_free(beginning);
  ghcomp_faults_delay();
  return error;
}

DOOR(int, pthread_key_create, pthread_key_t *key, void (*destructor)(void *))
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1) ? EAGAIN : __real_pthread_key_create(key, destructor);
}

DOOR(int, pthread_setspecific, pthread_key_t key, const void *value)
{
  ghcomp_faults_block_root(value);
  return ghcomp_faults_strike(FAULT_SYSTEM, 1) ? ENOMEM : __real_pthread_setspecific(key, value);
}

/* --------------------------------------------------------------------------- futex */

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

/* A wait that may end at once, or before its time-out.  */
static long wait_on(_Atomic uint32_t *word, uint32_t expected, struct timespec *most)
{
  ghcomp_faults_delay();
  if (!ghcomp_faults_strike(FAULT_EARLY, 1))
    return __real_syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, most, NULL, 0);
  uint64_t random = ghcomp_faults_random();
  struct timespec some = {0, (long)((random >> 8) % 200000)};
  if (random % 2 == 0)
    return __real_syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &some, NULL, 0);
  errno = EINTR;
  return -1;
}

long __wrap_syscall(long number, ...)
{
  va_list arguments;
  va_start(arguments, number);
  if (number != SYS_futex) {
    va_end(arguments);
    return __real_syscall(number); /* gettid, which cannot fail */
  }
  _Atomic uint32_t *word = va_arg(arguments, _Atomic uint32_t *);
  int what = va_arg(arguments, int);
  uint32_t value = va_arg(arguments, uint32_t);
  struct timespec *most = va_arg(arguments, struct timespec *);
  va_end(arguments);
  if (what == FUTEX_WAIT_PRIVATE)
    return wait_on(word, value, most);
  ghcomp_faults_delay();
  long woken = __real_syscall(number, word, what, value, NULL, NULL, 0);
  ghcomp_faults_delay();
  return woken;
}

/* --------------------------------------------------------- what else the system does */

#define FAILS(value, error) \
  do \
    if (ghcomp_faults_strike(FAULT_SYSTEM, 1)) { \
      errno = error; \
      return value; \
    } \
  while (0)

DOOR(ssize_t, write, int file, const void *bytes, size_t size)
{
  if (size > 1 && ghcomp_faults_strike(FAULT_EARLY, 1)) {
    if (ghcomp_faults_random() % 2 == 0) {
      errno = EINTR;
      return -1;
    }
    size /= 2;
  }
  return __real_write(file, bytes, size);
}

DOOR(ssize_t, read, int file, void *bytes, size_t size)
{
  FAILS(-1, EIO);
  if (size > 1 && ghcomp_faults_strike(FAULT_EARLY, 1))
    size = 1 + ghcomp_faults_random() % (size - 1);
  return __real_read(file, bytes, size);
}

DOOR(int, nanosleep, const struct timespec *time, struct timespec *left)
{
  if (ghcomp_faults_strike(FAULT_EARLY, 1)) {
    errno = EINTR;
    return -1;
  }
  return __real_nanosleep(time, left);
}

/* The caller may get the time late, as after a preemption.  */
DOOR(int, clock_gettime, clockid_t clock, struct timespec *time)
{
  int result = __real_clock_gettime(clock, time);
  ghcomp_faults_delay_rarely();
  return result;
}

DOOR(int, clock_getres, clockid_t clock, struct timespec *time)
{
  return __real_clock_getres(clock, time);
}

DOOR(int, pthread_attr_init, pthread_attr_t *attributes)
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1) ? ENOMEM : __real_pthread_attr_init(attributes);
}

DOOR(int, pthread_attr_setstacksize, pthread_attr_t *attributes, size_t size)
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1) ? EINVAL
                                               : __real_pthread_attr_setstacksize(attributes, size);
}

DOOR(int, pthread_attr_setstack, pthread_attr_t *attributes, void *stack, size_t size)
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1) ? EINVAL
                                               : __real_pthread_attr_setstack(attributes, stack, size);
}

DOOR(int, pthread_attr_getstacksize, const pthread_attr_t *attributes, size_t *size)
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1) ? EINVAL
                                               : __real_pthread_attr_getstacksize(attributes, size);
}

DOOR(int, pthread_attr_getstack, const pthread_attr_t *attributes, void **stack, size_t *size)
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1)
             ? EINVAL
             : __real_pthread_attr_getstack(attributes, stack, size);
}

DOOR(int, pthread_getattr_np, pthread_t thread, pthread_attr_t *attributes)
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1) ? ENOMEM
                                               : __real_pthread_getattr_np(thread, attributes);
}

DOOR(int, pthread_attr_setdetachstate, pthread_attr_t *attributes, int detached)
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1)
             ? EINVAL
             : __real_pthread_attr_setdetachstate(attributes, detached);
}

DOOR(int, pthread_attr_setaffinity_np, pthread_attr_t *attributes, size_t size, const cpu_set_t *set)
{
  return ghcomp_faults_strike(FAULT_SYSTEM, 1)
             ? ENOMEM
             : __real_pthread_attr_setaffinity_np(attributes, size, set);
}

DOOR(int, sched_getaffinity, pid_t who, size_t size, cpu_set_t *set)
{
  FAILS(-1, EPERM);
  return __real_sched_getaffinity(who, size, set);
}

DOOR(int, sched_setaffinity, pid_t who, size_t size, const cpu_set_t *set)
{
  FAILS(-1, EPERM);
  return __real_sched_setaffinity(who, size, set);
}

DOOR(int, sched_getcpu, void)
{
  FAILS(-1, ENOSYS);
  return __real_sched_getcpu();
}

DOOR(long, sysconf, int name)
{
  if (name == _SC_PAGESIZE) /* a constant of the process */
    return __real_sysconf(name);
  FAILS(-1, EINVAL);
  return __real_sysconf(name);
}

DOOR(long, __sysconf, int name) /* PTHREAD_STACK_MIN */
{
  FAILS(-1, EINVAL);
  return __real___sysconf(name);
}

DOOR(int, getrlimit, __rlimit_resource_t resource, struct rlimit *limit)
{
  FAILS(-1, EPERM);
  return __real_getrlimit(resource, limit);
}

DOOR(int, getrusage, __rusage_who_t who, struct rusage *usage)
{
  FAILS(-1, EINVAL);
  return __real_getrusage(who, usage);
}

DOOR(void *, mmap, void *at, size_t size, int protection, int flags, int file, off_t offset)
{
  if (no_memory())
    return MAP_FAILED;
  return __real_mmap(at, size, protection, flags, file, offset);
}

DOOR(int, sysinfo, struct sysinfo *machine)
{
  FAILS(-1, EPERM);
  return __real_sysinfo(machine);
}

DOOR(int, mlock, const void *at, size_t size)
{
  FAILS(-1, EPERM);
  return __real_mlock(at, size);
}

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
  FAILS(-1, EMFILE);
  return __real_open(path, flags);
}

int __real_fcntl(int file, int command, ...);
int __wrap_fcntl(int file, int command, ...);
int __wrap_fcntl(int file, int command, ...)
{
  va_list arguments;
  va_start(arguments, command);
  int value = va_arg(arguments, int); /* if there is none, the command ignores this value */
  va_end(arguments);
  FAILS(-1, EMFILE);
  return __real_fcntl(file, command, value);
}

DOOR(ssize_t, process_vm_readv, pid_t process, const struct iovec *to, unsigned long to_parts, const struct iovec *from,
     unsigned long from_parts, unsigned long flags)
{
  FAILS(-1, EPERM);
  return __real_process_vm_readv(process, to, to_parts, from, from_parts, flags);
}

DOOR(FILE *, fopen, const char *path, const char *mode)
{
  FAILS(NULL, EMFILE);
  return __real_fopen(path, mode);
}

DOOR(char *, fgets, char *line, int size, FILE *file)
{
  FAILS(NULL, EIO);
  if (size > 2 && ghcomp_faults_strike(FAULT_EARLY, 1))
    size = 2 + (int)(ghcomp_faults_random() % (unsigned)(size - 2));
  return __real_fgets(line, size, file);
}

DOOR(int, fstat, int file, struct stat *status)
{
  FAILS(-1, EIO);
  return __real_fstat(file, status);
}

DOOR(char *, realpath, const char *path, char *absolute)
{
  FAILS(NULL, EACCES);
  return __real_realpath(path, absolute);
}

DOOR(ssize_t, readlink, const char *path, char *target, size_t size)
{
  FAILS(-1, EACCES);
  return __real_readlink(path, target, size);
}

DOOR(int, gethostname, char *name, size_t size)
{
  FAILS(-1, EFAULT);
  return __real_gethostname(name, size);
}

/* A real failure, so that dlerror reports it.  */
DOOR(void *, dlopen, const char *path, int flags)
{
  if (ghcomp_faults_strike(FAULT_SYSTEM, 1))
    path = "/nowhere/of-the-faults-build.so";
  return __real_dlopen(path, flags);
}

DOOR(void *, dlsym, void *library, const char *name)
{
  if (ghcomp_faults_strike(FAULT_SYSTEM, 1))
    name = "there is no such name";
  return __real_dlsym(library, name);
}

DOOR(int, dladdr, const void *address, Dl_info *info)
{
  FAILS(0, 0);
  return __real_dladdr(address, info);
}

/* -------------------------------------------------------------------------- report */

__attribute__((destructor)) static void report(void)
{
  if (settings.report[0] == '\0')
    return;
  int file = __real_open(settings.report, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0)
    return;
  unsigned all, lost = ghcomp_faults_lost_blocks(file, &all);
  char line[512];
  int n = 0;
  for (unsigned i = 0; i < FAULTS; i++)
    n += snprintf(line + n, sizeof line - (size_t)n, "%s %lu of %lu, ", names[i],
                  atomic_load(&struck[i]), atomic_load(&chances[i]));
  n += snprintf(line + n, sizeof line - (size_t)n, "blocks %u, lost %u\n", all, lost);
  if (__real_write(file, line, (size_t)n) < 0)
    _exit(3);
  close(file);
}
