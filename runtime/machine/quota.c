/* The CPU quota of the process's control groups.  It is read on the stack of the program's thread, which may be small
   (PTHREAD_STACK_MIN is 16 KB), so paths and lines are on the heap.  */
#include "machine/processors.h"

#include "machine/disturbance.h"
#include "machine/process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned processors_of(long long quota, long long period)
{
  if (quota <= 0 || period <= 0)
    return 0;
  long long count = quota / period + (quota % period != 0);
  return count > INT_MAX ? INT_MAX : (unsigned)count;
}

/* The first line of folder/name, or false.  */
static bool read_in(const char *folder, const char *name, char *line, size_t size)
{
  char *path;
  if (asprintf(&path, "%s/%s", folder, name) < 0)
    return false;
  bool ok = ghcomp_machine_read_line(path, line, size);
  free(path);
  return ok;
}

/* cgroup v2: "max 100000" or "150000 100000".  */
static unsigned quota_v2(const char *folder)
{
  char line[128];
  long long quota, period;
  if (!read_in(folder, "cpu.max", line, sizeof line) || sscanf(line, "%lld %lld", &quota, &period) != 2)
    return 0;
  return processors_of(quota, period);
}

static unsigned quota_v1(const char *folder)
{
  char line[64];
  if (!read_in(folder, "cpu.cfs_quota_us", line, sizeof line))
    return 0;
  long long quota = atoll(line);
  return read_in(folder, "cpu.cfs_period_us", line, sizeof line) ? processors_of(quota, atoll(line)) : 0;
}

/* The least quota from the group up to the root of the hierarchy, which is a folder of `root`, or "" for `root` itself.  */
static unsigned least_quota(const char *root, const char *hierarchy, const char *group, unsigned (*read)(const char *))
{
  char *folder;
  if (asprintf(&folder, "%s%s%s%s", root, *hierarchy != '\0' ? "/" : "", hierarchy, group) < 0)
    return 0;
  const char *first = folder + strlen(folder) - strlen(group);
  unsigned least = 0;
  for (;;) {
    unsigned quota = read(folder);
    if (quota != 0 && (least == 0 || quota < least))
      least = quota;
    char *slash = strrchr(folder, '/');
    if (slash == NULL || slash < first)
      break;
    *slash = '\0';
  }
  free(folder);
  return least;
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
    return least_quota(root, "", group, quota_v2);
  if (!names_cpu(controllers))
    return 0;
  unsigned quota = least_quota(root, controllers, group, quota_v1);
  return quota != 0 ? quota : least_quota(root, "cpu", group, quota_v1);
}

unsigned ghcomp_machine_quota_in(const char *membership, const char *root)
{
  int cancellation = ghcomp_machine_hold_cancellation();
  FILE *file = fopen(membership, "re");
  char *line = NULL;
  size_t size = 0;
  unsigned least = 0;
  while (file != NULL && getline(&line, &size, file) > 0) {
    unsigned quota = quota_of_line(line, root);
    if (quota != 0 && (least == 0 || quota < least))
      least = quota;
  }
  free(line);
  if (file != NULL)
    fclose(file);
  ghcomp_machine_let_cancellation(cancellation);
  return least;
}

unsigned ghcomp_machine_quota_processors(void)
{
  return ghcomp_machine_quota_in("/proc/self/cgroup", "/sys/fs/cgroup");
}
