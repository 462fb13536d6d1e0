#include "counters.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A line of a file begins with a word, and numbers follow.  Source: Linux, Documentation/filesystems/proc.rst and
   Documentation/scheduler/sched-stats.rst.  */
static const struct known {
  const char *name, *file, *line;
  int column; /* from 1; 0: the sum of all */
  long long unit;
} known[] = {
    {"context_switches", "/proc/stat", "ctxt", 1, 1},
    {"processes_made", "/proc/stat", "processes", 1, 1},
    {"user_ms", "/proc/stat", "cpu", 1, 10},
    {"system_ms", "/proc/stat", "cpu", 3, 10},
    {"idle_ms", "/proc/stat", "cpu", 4, 10},
    {"interrupts", "/proc/stat", "intr", 1, 1},
    {"softirqs_timer", "/proc/stat", "softirq", 3, 1},
    {"softirqs_sched", "/proc/stat", "softirq", 9, 1},
    {"softirqs_rcu", "/proc/stat", "softirq", 11, 1},
    {"timer_interrupts", "/proc/interrupts", "LOC:", 0, 1},
    {"reschedule_interrupts", "/proc/interrupts", "RES:", 0, 1},
    {"call_interrupts", "/proc/interrupts", "CAL:", 0, 1},
    {"tlb_shootdowns", "/proc/interrupts", "TLB:", 0, 1},
    {"runnable_ns", "/proc/schedstat", "cpu*", 8, 1},
    {"slices", "/proc/schedstat", "cpu*", 9, 1},
    {"page_faults", "/proc/vmstat", "pgfault", 1, 1},
};
enum { COUNT = sizeof known / sizeof *known };
_Static_assert(COUNT <= MOST_COUNTERS, "room for all");

static char text[1 << 17];

static void load(const char *path)
{
  size_t have = 0;
  ssize_t got = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  while (file >= 0 && have < sizeof text - 1 && (got = read(file, text + have, sizeof text - 1 - have)) > 0)
    have += (size_t)got;
  text[have] = '\0';
  if (file >= 0)
    close(file);
}

/* "cpu*" is each processor's line.  Returns what follows the word, or NULL.  */
static const char *after_word(const char *line, const char *word)
{
  size_t length = strcspn(word, "*");
  line += strspn(line, " ");
  if (strncmp(line, word, length) != 0)
    return NULL;
  line += length;
  if (word[length] == '*' && !isdigit((unsigned char)*line))
    return NULL;
  while (word[length] == '*' && isdigit((unsigned char)*line))
    line++;
  return *line == ' ' ? line : NULL;
}

static long long number_of(const char *rest, int column)
{
  long long sum = 0;
  for (int i = 1;; i++) {
    char *end;
    long long value = strtoll(rest, &end, 10);
    if (end == rest || *rest == '\n')
      return column == 0 ? sum : -1;
    if (i == column)
      return value;
    sum += value;
    rest = end + strspn(end, " ");
  }
}

/* The sum over all lines that begin with the word.  */
static long long look_up(const struct known *k)
{
  long long sum = -1;
  for (const char *line = text; line != NULL && *line != '\0';) {
    const char *rest = after_word(line, k->line);
    long long value = rest == NULL ? -1 : number_of(rest + strspn(rest, " "), k->column);
    if (value >= 0)
      sum = (sum < 0 ? 0 : sum) + value * k->unit;
    line = strchr(line, '\n');
    line = line == NULL ? NULL : line + 1;
  }
  return sum;
}

void counters_read(struct counters *c)
{
  const char *loaded = "";
  for (int i = 0; i < COUNT; i++) {
    if (strcmp(loaded, known[i].file) != 0)
      load(loaded = known[i].file);
    c->value[i] = look_up(&known[i]);
  }
}

void counters_print(const char *phase, const struct counters *before, const struct counters *after)
{
  for (int i = 0; i < COUNT; i++)
    if (before->value[i] >= 0 && after->value[i] >= 0)
      printf("cost %s.%s %lld\n", phase, known[i].name, after->value[i] - before->value[i]);
}
