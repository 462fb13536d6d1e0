/* Runs a workload with a driver; see harness.h.  The phases:

     spawn_ready  from the request for workers until the last worker has begun
     work         from the first worker's beginning until the last worker's end
     shutdown     from then until driver_run has returned
     total        all of driver_run

   spawn_ready and work overlap if workers begin at different times.  */
#define _GNU_SOURCE
#include "counters.h"
#include "harness.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static int argument_count;
static char **arguments;

struct scheduled {
  unsigned long long on, runnable, slices;
  long long migrations;
};

static struct stamps {
  struct {
    _Alignas(64) int64_t begin, end;
    struct scheduled scheduled;
  } worker[MOST_WORKERS];
  atomic_int begun, ended;
  struct counters start, ready, end, stop;
} *stamps;
static bool costs, counting;

void harness_fail(const char *what, ...)
{
  va_list list;
  va_start(list, what);
  vfprintf(stderr, what, list);
  va_end(list);
  fputc('\n', stderr);
  exit(1);
}

static _Noreturn void usage(const char *problem, const char *text)
{
  fprintf(stderr, "%s '%s'; usage: %s WORKERS", problem, text, arguments[0]);
  for (const char *const *name = workload.parameters; *name != NULL; name++)
    fprintf(stderr, " %s=NUMBER", *name);
  fprintf(stderr, ", WORKERS from 1 to %d\n", MOST_WORKERS);
  exit(2);
}

static bool read_number(const char *text, long *number)
{
  char *end;
  *number = strtol(text, &end, 10);
  return *text != '\0' && *end == '\0' && *number >= 0;
}

long harness_parameter(const char *name)
{
  size_t length = strlen(name);
  for (int i = 2; i < argument_count; i++) {
    long number;
    if (strncmp(arguments[i], name, length) != 0 || arguments[i][length] != '=')
      continue;
    if (!read_number(arguments[i] + length + 1, &number))
      usage("not a number:", arguments[i]);
    return number;
  }
  usage("no value for", name);
}

void harness_result(const char *name, uint64_t value)
{
  printf("result %s %llu\n", name, (unsigned long long)value);
}

static int64_t now_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ------------------------------------------------------------------------- costs */

static long long cpu_ns(const struct timeval *t)
{
  return (long long)t->tv_sec * 1000000000 + (long long)t->tv_usec * 1000;
}

static void print_usage(void)
{
  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  printf("cost user_ns %lld\n", cpu_ns(&own.ru_utime) + cpu_ns(&children.ru_utime));
  printf("cost system_ns %lld\n", cpu_ns(&own.ru_stime) + cpu_ns(&children.ru_stime));
  printf("cost voluntary_switches %ld\n", own.ru_nvcsw + children.ru_nvcsw);
  printf("cost involuntary_switches %ld\n", own.ru_nivcsw + children.ru_nivcsw);
  printf("cost page_faults %ld\n", own.ru_minflt + children.ru_minflt);
}

/* The kernel's scheduler statistics of the calling thread: time on a processor, time
   runnable without one, time slices, and migrations if the kernel reports them.  Only
   with HARNESS_COSTS=1, because reading them counts as shutdown.  */
static void read_scheduler(struct scheduled *s)
{
  char line[256];
  FILE *file = fopen("/proc/thread-self/schedstat", "r");
  if (file == NULL || fscanf(file, "%llu %llu %llu", &s->on, &s->runnable, &s->slices) != 3)
    s->slices = 0;
  if (file != NULL)
    fclose(file);
  s->migrations = -1;
  file = fopen("/proc/thread-self/sched", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "se.nr_migrations", 16) == 0 && strchr(line, ':') != NULL)
      s->migrations = atoll(strchr(line, ':') + 1);
  if (file != NULL)
    fclose(file);
}

static void print_scheduler(int workers)
{
  struct scheduled sum = {0};
  for (int i = 0; i < workers; i++) {
    const struct scheduled *s = &stamps->worker[i].scheduled;
    sum.on += s->on;
    sum.runnable += s->runnable;
    sum.slices += s->slices;
    sum.migrations = s->migrations < 0 || sum.migrations < 0 ? -1 : sum.migrations + s->migrations;
  }
  printf("cost on_processor_ns %llu\ncost runnable_ns %llu\ncost slices %llu\n", sum.on, sum.runnable,
         sum.slices);
  if (sum.migrations >= 0)
    printf("cost migrations %lld\n", sum.migrations);
}

/* Prints the runtime's counters, if it has any.  */
static void print_counters(void)
{
  unsigned (*count)(void) = (unsigned (*)(void))dlsym(RTLD_DEFAULT, "ghcomp_stats_count");
  const char *(*name)(unsigned) = (const char *(*)(unsigned))dlsym(RTLD_DEFAULT, "ghcomp_stats_name");
  unsigned long long (*value)(unsigned) =
      (unsigned long long (*)(unsigned))dlsym(RTLD_DEFAULT, "ghcomp_stats_value");
  for (unsigned i = 0; count != NULL && i < count(); i++)
    printf("cost runtime.%s %llu\n", name(i), value(i));
}

/* With HARNESS_COUNTERS=1 the last worker that has come to a moment reads the system's counters there.  The last one that ends
   does so after all others have come here, so no two read at once.  */
static void count_at(atomic_int *came, int workers, struct counters *c)
{
  if (counting && atomic_fetch_add(came, 1) + 1 == workers)
    counters_read(c);
}

static void print_phases_counters(void)
{
  counters_print("spawn_ready", &stamps->start, &stamps->ready);
  counters_print("work", &stamps->ready, &stamps->end);
  counters_print("shutdown", &stamps->end, &stamps->stop);
  counters_print("total", &stamps->start, &stamps->stop);
}

/* ----------------------------------------------------------------------- a run */

static void body(int worker, int workers)
{
  stamps->worker[worker].begin = now_ns();
  count_at(&stamps->begun, workers, &stamps->ready);
  workload.body(worker, workers);
  stamps->worker[worker].end = now_ns();
  count_at(&stamps->ended, workers, &stamps->end);
  if (costs)
    read_scheduler(&stamps->worker[worker].scheduled);
}

static void print_phases(int workers, int64_t start, int64_t stop)
{
  int64_t first = INT64_MAX, ready = 0, last = 0;
  for (int i = 0; i < workers; i++) {
    int64_t begin = stamps->worker[i].begin, end = stamps->worker[i].end;
    if (begin == 0 || end == 0)
      harness_fail("worker %d of %d has not run", i, workers);
    first = begin < first ? begin : first;
    ready = begin > ready ? begin : ready;
    last = end > last ? end : last;
  }
  printf("phase spawn_ready %lld\nphase work %lld\nphase shutdown %lld\nphase total %lld\n",
         (long long)(ready - start), (long long)(last - first), (long long)(stop - last),
         (long long)(stop - start));
}

static void check_arguments(void)
{
  for (int i = 2; i < argument_count; i++) {
    const char *const *name = workload.parameters;
    const char *equals = strchr(arguments[i], '=');
    while (*name != NULL && (equals == NULL || strlen(*name) != (size_t)(equals - arguments[i]) ||
                             strncmp(*name, arguments[i], strlen(*name)) != 0))
      name++;
    if (*name == NULL)
      usage("not a parameter:", arguments[i]);
  }
}

/* Also called by drivers whose main function is not in C.  */
int harness_main(int argc, char **argv)
{
  long workers;
  argument_count = argc;
  arguments = argv;
  if (argc < 2 || !read_number(argv[1], &workers) || workers < 1 || workers > MOST_WORKERS)
    usage("not a number of workers:", argc < 2 ? "" : argv[1]);
  check_arguments();
  costs = getenv("HARNESS_COSTS") != NULL;
  counting = getenv("HARNESS_COUNTERS") != NULL;
  stamps = driver_shared(sizeof *stamps);
  workload.setup((int)workers);
  if (counting)
    counters_read(&stamps->start);
  int64_t start = now_ns();
  driver_run((int)workers, body);
  int64_t stop = now_ns();
  if (counting)
    counters_read(&stamps->stop);
  print_phases((int)workers, start, stop);
  workload.results();
  print_usage();
  print_counters();
  if (costs)
    print_scheduler((int)workers);
  if (counting)
    print_phases_counters();
  if (fflush(stdout) != 0)
    harness_fail("cannot write the results");
  return 0;
}
