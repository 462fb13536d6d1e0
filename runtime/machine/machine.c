/* Processors: the affinity mask, and the CPU quota of the cgroups that the
   process is in.  */
#include "machine/machine.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/atomics.h"

static _Atomic unsigned cached;
static unsigned kept; /* written before there is a second thread; 0: none was kept */

unsigned ghcomp_machine_affinity_processors(void)
{
  if (kept != 0)
    return kept;
  size_t size = CPU_ALLOC_SIZE(MAX_PROCESSORS);
  cpu_set_t *set = CPU_ALLOC(MAX_PROCESSORS);
  int count = 0;
  if (set != NULL && sched_getaffinity(0, size, set) == 0)
    count = CPU_COUNT_S(size, set);
  CPU_FREE(set);
  if (count <= 0)
    count = (int)sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (unsigned)count : 1;
}

void ghcomp_machine_keep_affinity(void)
{
  kept = ghcomp_machine_affinity_processors();
}

/* The first line of the file, or false.  */
static bool read_line(const char *path, char *line, size_t size)
{
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return false;
  bool ok = fgets(line, (int)size, file) != NULL;
  fclose(file);
  return ok;
}

/* Not gettid(), which glibc has since 2.30 only.  */
int ghcomp_machine_thread(void)
{
  return (int)syscall(SYS_gettid);
}

/* The state is the first letter behind the name, which is in parentheses.  */
bool ghcomp_machine_thread_runs(int thread)
{
  char path[64], line[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
  const char *name_end = read_line(path, line, sizeof line) ? strrchr(line, ')') : NULL;
  return name_end != NULL && name_end[1] == ' ' && (name_end[2] == 'R' || name_end[2] == 'D');
}

/* The kernel's name for a thread's clock is made from its number: clock_getcpuclockid does so for
   a process, pthread_getcpuclockid for a thread.  */
uint64_t ghcomp_machine_thread_computed(int thread)
{
  enum { OF_A_THREAD = 4, SCHEDULED = 2 };
  struct timespec t;
  clockid_t clock = (clockid_t)(~(unsigned)thread << 3 | OF_A_THREAD | SCHEDULED);
  return clock_gettime(clock, &t) == 0 ? (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec : 0;
}

void ghcomp_machine_get_thread_name(char name[GHCOMP_THREAD_NAME])
{
  name[0] = '\0';
  prctl(PR_GET_NAME, name);
}

void ghcomp_machine_set_thread_name(const char *name)
{
  if (name[0] != '\0')
    prctl(PR_SET_NAME, name);
}

/* The initial thread's stack grows up to its limit; a look into /proc would cost much
   more and say little else.  */
static size_t initial_stack_size(void)
{
  struct rlimit limit;
  return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur
                                                                                 : SIZE_MAX;
}

/* A thread's stack also holds its thread-local variables, so its size says little.  */
size_t ghcomp_machine_stack_left(void)
{
  if (ghcomp_machine_thread() == getpid())
    return initial_stack_size();
  pthread_attr_t attributes;
  void *lowest = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return (size_t)((char *)__builtin_frame_address(0) - (char *)lowest);
}

/* Adds the processor to the mask, or takes it away.  */
static bool change_mask(int thread, int processor, bool add)
{
  size_t size = CPU_ALLOC_SIZE(MAX_PROCESSORS);
  cpu_set_t *set = CPU_ALLOC(MAX_PROCESSORS);
  int saved = errno;
  bool changed = false;
  if (set != NULL && sched_getaffinity(thread, size, set) == 0 &&
      (add || (CPU_COUNT_S(size, set) > 1 && CPU_ISSET_S(processor, size, set)))) {
    if (add)
      CPU_SET_S(processor, size, set);
    else
      CPU_CLR_S(processor, size, set);
    changed = sched_setaffinity(thread, size, set) == 0;
  }
  CPU_FREE(set);
  errno = saved;
  return changed;
}

bool ghcomp_machine_keep_off(int thread, int processor)
{
  return change_mask(thread, processor, false);
}

void ghcomp_machine_let_on(int processor)
{
  change_mask(0, processor, true);
}

void ghcomp_machine_leave_processor(int processor)
{
  if (ghcomp_machine_keep_off(0, processor))
    ghcomp_machine_let_on(processor);
}

static unsigned processors_of(long long quota, long long period)
{
  if (quota <= 0 || period <= 0)
    return 0;
  long long count = quota / period + (quota % period != 0);
  return count > INT_MAX ? INT_MAX : (unsigned)count;
}

/* cgroup v2: "max 100000" or "150000 100000".  */
static unsigned quota_v2(const char *folder)
{
  char path[PATH_MAX + 16], line[128];
  long long quota, period;
  snprintf(path, sizeof path, "%s/cpu.max", folder);
  if (!read_line(path, line, sizeof line) || sscanf(line, "%lld %lld", &quota, &period) != 2)
    return 0;
  return processors_of(quota, period);
}

static unsigned quota_v1(const char *folder)
{
  char path[PATH_MAX + 32], line[64];
  snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
  if (!read_line(path, line, sizeof line))
    return 0;
  long long quota = atoll(line);
  snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
  return read_line(path, line, sizeof line) ? processors_of(quota, atoll(line)) : 0;
}

/* The least quota from the group up to the root of the hierarchy.  */
static unsigned least_quota(const char *root, const char *group, unsigned (*read)(const char *))
{
  char folder[PATH_MAX];
  int root_length = snprintf(folder, sizeof folder, "%s", root);
  if (snprintf(folder, sizeof folder, "%s%s", root, group) >= (int)sizeof folder)
    return 0;
  unsigned least = 0;
  for (;;) {
    unsigned quota = read(folder);
    if (quota != 0 && (least == 0 || quota < least))
      least = quota;
    char *slash = strrchr(folder, '/');
    if (slash == NULL || slash - folder < root_length)
      return least;
    *slash = '\0';
  }
}

static bool names_cpu(const char *controllers)
{
  for (const char *p = controllers; p != NULL; p = strchr(p, ',')) {
    p += *p == ',';
    if (strncmp(p, "cpu", 3) == 0 && (p[3] == ',' || p[3] == '\0'))
      return true;
  }
  return false;
}

/* One line of /proc/self/cgroup: "0::/group" (v2) or "4:cpu,cpuacct:/group". */
static unsigned quota_of_line(char *line, const char *root)
{
  char *controllers = strchr(line, ':');
  char *group = controllers != NULL ? strchr(controllers + 1, ':') : NULL;
  if (group == NULL)
    return 0;
  *group++ = '\0';
  controllers++;
  group[strcspn(group, "\n")] = '\0';
  if (*controllers == '\0')
    return least_quota(root, group, quota_v2);
  if (!names_cpu(controllers))
    return 0;
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s/%s", root, controllers);
  unsigned quota = least_quota(folder, group, quota_v1);
  if (quota == 0) {
    snprintf(folder, sizeof folder, "%s/cpu", root);
    quota = least_quota(folder, group, quota_v1);
  }
  return quota;
}

unsigned ghcomp_machine_quota_in(const char *membership, const char *root)
{
  FILE *file = fopen(membership, "re");
  char line[PATH_MAX + 64];
  unsigned least = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    unsigned quota = quota_of_line(line, root);
    if (quota != 0 && (least == 0 || quota < least))
      least = quota;
  }
  if (file != NULL)
    fclose(file);
  return least;
}

unsigned ghcomp_machine_quota_processors(void)
{
  return ghcomp_machine_quota_in("/proc/self/cgroup", "/sys/fs/cgroup");
}

unsigned ghcomp_machine_processors(void)
{
  unsigned count = load_relaxed(&cached);
  if (count != 0)
    return count;
  count = ghcomp_machine_affinity_processors();
  unsigned quota = ghcomp_machine_quota_processors();
  if (quota != 0 && quota < count)
    count = quota;
  store_relaxed(&cached, count);
  return count;
}

void ghcomp_machine_forget(void)
{
  store_relaxed(&cached, 0);
}

/* Returns how many whole words were read.  */
static unsigned read_words(uintptr_t *words, const struct iovec *from, unsigned parts)
{
  size_t size = 0;
  for (unsigned i = 0; i < parts; i++)
    size += from[i].iov_len;
  struct iovec to = {words, size};
  ssize_t got = process_vm_readv(getpid(), &to, 1, from, parts, 0);
  return got > 0 ? (unsigned)((size_t)got / sizeof *words) : 0;
}

enum { AT_A_TIME = 16 };

static unsigned count_some(const uintptr_t *structures, unsigned count, size_t offset)
{
  uintptr_t addresses[AT_A_TIME], words[AT_A_TIME];
  struct iovec array = {(void *)(uintptr_t)structures, count * sizeof *structures}, each[AT_A_TIME];
  count = read_words(addresses, &array, 1);
  for (unsigned i = 0; i < count; i++)
    each[i] = (struct iovec){(void *)(addresses[i] + offset), sizeof *words};
  count = count != 0 ? read_words(words, each, count) : 0;
  unsigned set = 0;
  for (unsigned i = 0; i < count; i++)
    set += words[i] != 0;
  return set;
}

unsigned ghcomp_machine_count_set(const void *structures, unsigned count, size_t offset)
{
  unsigned set = 0;
  for (unsigned first = 0; first < count; first += AT_A_TIME) {
    unsigned some = count - first < AT_A_TIME ? count - first : AT_A_TIME;
    set += count_some((const uintptr_t *)structures + first, some, offset);
  }
  return set;
}
