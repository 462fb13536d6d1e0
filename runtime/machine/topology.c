/* The kernel's description of the machine.  */
#include "machine/processors.h"

#include "machine/disturbance.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CACHES = 16 };

/* Adds the processors of a text such as "0-3,8".  */
static bool read_ranges(const char *text, struct processor_set *set)
{
  for (const char *p = text; *p != '\0' && *p != '\n'; p += *p == ',') {
    char *end;
    long first = strtol(p, &end, 10), last = first;
    if (end == p)
      return false;
    if (*end == '-')
      last = strtol(end + 1, &end, 10);
    for (long cpu = first; cpu <= last; cpu++)
      if (!ghcomp_processors_add(set, cpu))
        return false;
    p = end;
  }
  return true;
}

/* The path is printed.  It is not on the stack, which may be small: where the environment is read late, it is that of the
   program's thread.  */
static __attribute__((format(printf, 1, 2))) FILE *open_file(const char *format, ...)
{
  va_list arguments;
  char *path;
  va_start(arguments, format);
  int length = vasprintf(&path, format, arguments);
  va_end(arguments);
  if (length < 0)
    return NULL;
  int cancellation = ghcomp_machine_hold_cancellation();
  FILE *file = fopen(path, "re");
  ghcomp_machine_let_cancellation(cancellation);
  free(path);
  return file;
}

/* Reads the list, and closes the file.  */
static bool read_cpu_list(FILE *file, struct processor_set *set)
{
  char *line = NULL;
  size_t size = 0;
  int cancellation = ghcomp_machine_hold_cancellation();
  memset(set, 0, sizeof *set);
  bool ok = file != NULL && getline(&line, &size, file) > 0 && read_ranges(line, set);
  free(line);
  if (file != NULL)
    fclose(file);
  ghcomp_machine_let_cancellation(cancellation);
  return ok;
}

static bool read_sibling_file(const char *root, int cpu, const char *name, struct processor_set *set)
{
  return read_cpu_list(open_file("%s/cpu/cpu%d/%s", root, cpu, name), set);
}

/* The level of the cache `index`; 0: there is no such cache.  */
static int cache_level(const char *root, int cpu, int index)
{
  int level = 0, cancellation = ghcomp_machine_hold_cancellation();
  FILE *file = open_file("%s/cpu/cpu%d/cache/index%d/level", root, cpu, index);
  if (file != NULL && fscanf(file, "%d", &level) != 1)
    level = 0;
  if (file != NULL)
    fclose(file);
  ghcomp_machine_let_cancellation(cancellation);
  return level;
}

static bool read_last_cache(const char *root, int cpu, struct processor_set *set)
{
  char name[64];
  int last = -1, highest = 0;
  for (int i = 0; i < MOST_CACHES; i++) {
    int level = cache_level(root, cpu, i);
    if (level == 0)
      break;
    if (level > highest) {
      highest = level;
      last = i;
    }
  }
  if (last < 0)
    return false;
  snprintf(name, sizeof name, "cache/index%d/shared_cpu_list", last);
  return read_sibling_file(root, cpu, name, set);
}

/* Kernels before 5.3 have the second names.  */
static bool read_sharers(const char *root, enum sharing what, int cpu, struct processor_set *set)
{
  switch (what) {
  case SHARE_CORE:
    return read_sibling_file(root, cpu, "topology/core_cpus_list", set) ||
           read_sibling_file(root, cpu, "topology/thread_siblings_list", set);
  case SHARE_SOCKET:
    return read_sibling_file(root, cpu, "topology/package_cpus_list", set) ||
           read_sibling_file(root, cpu, "topology/core_siblings_list", set);
  case SHARE_CACHE:
    return read_last_cache(root, cpu, set);
  }
  return false;
}

struct processor_set ghcomp_topology_sharers(const char *root, enum sharing what, int cpu)
{
  struct processor_set set;
  if (!read_sharers(root, what, cpu, &set))
    memset(&set, 0, sizeof set);
  ghcomp_processors_add(&set, cpu);
  return set;
}

bool ghcomp_topology_knows(const char *root, enum sharing what, int processor)
{
  struct processor_set set;
  return read_sharers(root, what, processor, &set);
}

struct processor_set ghcomp_topology_nodes(const char *root)
{
  struct processor_set nodes;
  if (!read_cpu_list(open_file("%s/node/online", root), &nodes))
    memset(&nodes, 0, sizeof nodes);
  return nodes;
}

bool ghcomp_topology_of_node(const char *root, int node, struct processor_set *set)
{
  return read_cpu_list(open_file("%s/node/node%d/cpulist", root, node), set);
}
