/* The system's threads.  */
#include "machine/thread.h"

#include "base/atomics.h"
#include "machine/process.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* -------------------------------------------------------------- calling thread */

/* The kernel's identifier of a thread's clock is made from the thread's number, in the same way as in clock_getcpuclockid
   (processes).  */
enum { NUMBER_SHIFT = 3, OF_A_THREAD = 4, SCHEDULED = 2 };

/* The C library knows its threads' numbers, but tells only the identifier of a thread's clock.  */
int ghcomp_machine_thread(void)
{
  clockid_t clock;
  return pthread_getcpuclockid(pthread_self(), &clock) == 0 ? ~(clock >> NUMBER_SHIFT) : (int)syscall(SYS_gettid);
}

static _Atomic int first_thread; /* its number; 0: not known yet */

void ghcomp_machine_only_thread(void)
{
  store_relaxed(&first_thread, ghcomp_machine_thread());
}

/* The first thread that comes here on the initial stack is the initial thread: this is so when the library is loaded.  Relaxed:
   no other thread has that stack then.  The system is not asked, because a filter may end the process for that.  */
static bool is_first_on_initial_stack(void)
{
  int first = load_relaxed(&first_thread), own = ghcomp_machine_thread();
  if (first == 0)
    store_relaxed(&first_thread, first = own);
  return first == own;
}

/* pthread_t is opaque; on Linux it is a pointer or a number of that size.  */
uintptr_t ghcomp_machine_thread_handle(void)
{
  return (uintptr_t)pthread_self();
}

bool ghcomp_machine_stack_has_no_limit(void)
{
  struct rlimit limit;
  return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY;
}

size_t ghcomp_machine_usual_stack(void)
{
  pthread_attr_t attributes;
  size_t size = 0;
  if (pthread_attr_init(&attributes) != 0)
    return 0;
  pthread_attr_getstacksize(&attributes, &size);
  pthread_attr_destroy(&attributes);
  return size;
}

/* The system puts nothing else so near below the top of the initial thread's stack, whatever limit it had when the program
   started.  */
#define OF_INITIAL_STACK_MOST ((size_t)128 << 20)

/* The initial thread's stack grows up to its limit, from above the random bytes that the system has put there.  Reading /proc
   would cost much more.  False: the address is elsewhere.  */
static bool initial_stack(uintptr_t here, uintptr_t *lowest, size_t *size)
{
  struct rlimit limit;
  uintptr_t top = getauxval(AT_RANDOM);
  if (top - here >= OF_INITIAL_STACK_MOST || getrlimit(RLIMIT_STACK, &limit) != 0)
    return false;
  *size = limit.rlim_cur < OF_INITIAL_STACK_MOST ? (size_t)limit.rlim_cur : OF_INITIAL_STACK_MOST;
  *lowest = top - *size;
  return here - *lowest < *size;
}

/* In a forked child the first thread may have the stack of another one, and the initial thread may be on a stack of the
   program's.  */
bool ghcomp_machine_own_stack(uintptr_t *lowest, size_t *size)
{
  pthread_attr_t attributes;
  void *address;
  if (initial_stack((uintptr_t)__builtin_frame_address(0), lowest, size) && is_first_on_initial_stack())
    return true;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return false;
  bool ok = pthread_attr_getstack(&attributes, &address, size) == 0;
  *lowest = (uintptr_t)address;
  pthread_attr_destroy(&attributes);
  return ok;
}

/* --------------------------------------------------------------- any thread of ours */

/* The line of /proc about it.  */
static bool read_state(int thread, char *line, size_t size)
{
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  return ghcomp_machine_read_line(path, line, size);
}

/* The state is the first letter after the name, which is in parentheses.  */
bool ghcomp_machine_thread_runs(int thread)
{
  char line[256];
  const char *name_end = read_state(thread, line, sizeof line) ? strrchr(line, ')') : NULL;
  return name_end != NULL && name_end[1] == ' ' && (name_end[2] == 'R' || name_end[2] == 'D');
}

/* Without /proc a signal that is none tells.  */
bool ghcomp_machine_thread_is_there(int thread)
{
  char line[8];
  int saved = errno;
  bool is_there = read_state(thread, line, sizeof line) ||
                  (!read_state(ghcomp_machine_thread(), line, sizeof line) && syscall(SYS_tgkill, getpid(), thread, 0) == 0);
  errno = saved;
  return is_there;
}

static uint64_t read_clock(clockid_t clock)
{
  struct timespec t;
  return clock_gettime(clock, &t) == 0 ? (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec : 0;
}

uint64_t ghcomp_machine_thread_computed(int thread)
{
  return read_clock((clockid_t)(~(unsigned)thread << NUMBER_SHIFT | OF_A_THREAD | SCHEDULED));
}

uint64_t ghcomp_machine_process_computed(void)
{
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* --------------------------------------------------------------- sleep and wake */

void ghcomp_park_wait(_Atomic uint32_t *word, uint32_t expected)
{
  int saved = errno;
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
  errno = saved;
}

void ghcomp_park_wait_for(_Atomic uint32_t *word, uint32_t expected, uint64_t nanoseconds)
{
  int saved = errno;
  struct timespec time = {.tv_sec = (time_t)(nanoseconds / 1000000000),
                          .tv_nsec = (long)(nanoseconds % 1000000000)};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, &time, NULL, 0);
  errno = saved;
}

bool ghcomp_park_wake(_Atomic uint32_t *word, int count)
{
  int saved = errno;
  bool refused = syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0) < 0 && (errno == EPERM || errno == ENOSYS);
  errno = saved;
  return !refused;
}

/* ------------------------------------------------------------------------ at the end */

static pthread_key_t mark;
static bool has_key; /* false: the ends of threads are not noticed */

void ghcomp_machine_watch_ends(void (*seen)(void *))
{
  has_key = pthread_key_create(&mark, seen) == 0;
}

void ghcomp_machine_mark_thread(void *value)
{
  if (has_key)
    pthread_setspecific(mark, value);
}
