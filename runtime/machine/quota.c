/* The CPU quota of the process's control groups.  */
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

/* cgroup v2: "max 100000" or "150000 100000".  */
static unsigned quota_v2(const char *folder)
{
  char path[PATH_MAX + 16], line[128];
  long long quota, period;
  snprintf(path, sizeof path, "%s/cpu.max", folder);
  if (!ghcomp_machine_read_line(path, line, sizeof line) || sscanf(line, "%lld %lld", &quota, &period) != 2)
    return 0;
  return processors_of(quota, period);
}

static unsigned quota_v1(const char *folder)
{
  char path[PATH_MAX + 32], line[64];
  snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
  if (!ghcomp_machine_read_line(path, line, sizeof line))
    return 0;
  long long quota = atoll(line);
  snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
  return ghcomp_machine_read_line(path, line, sizeof line) ? processors_of(quota, atoll(line)) : 0;
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
  int cancellation = ghcomp_machine_hold_cancellation();
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
  ghcomp_machine_let_cancellation(cancellation);
  return least;
}

unsigned ghcomp_machine_quota_processors(void)
{
  return ghcomp_machine_quota_in("/proc/self/cgroup", "/sys/fs/cgroup");
}
