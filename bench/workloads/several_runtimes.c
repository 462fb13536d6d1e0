/* A program loads libraries that each bring a copy of an OpenMP runtime under another name, as Python's wheels do.  The program
   is not linked with a runtime.  WHEELS is the folder with the libraries 1.so, 2.so and 3.so (beside.c).

   usage: several_runtimes WORKERS regions=N limit=S     prints rows; each way to call
   is a separate process, which has S seconds */
#include "beside.h"
#include "child.h"
#include "clocks.h"
#include "keys.h"
#include "rows.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <unistd.h>

enum { LIBRARIES = 3, STEPS = 250, SAMPLES = 5, TOLD = SAMPLES + 1, MOST_THREADS = 9, NOT_THERE = 4 };

static const struct way {
  const char *name;
  int libraries, threads; /* 0: the program's own thread calls one library after the other */
} ways[] = {
    {"one library", 1, 0},
    {"three libraries in turn", 3, 0},
    {"three threads, each with its library", 3, 3},
    {"nine threads, three to a library", 3, 9},
};

static long regions = 500, limit_s = 60;
static uint64_t (*call_region[LIBRARIES])(int64_t, void (*)(void *), void *);
static long (*os_threads)(void);
static uint64_t expected;
static pthread_barrier_t together;
static long counted; /* system threads while all callers exist */

static void load(int libraries)
{
  const char *folder = getenv("WHEELS");
  for (int i = 0; i < libraries; i++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%d.so", folder != NULL ? folder : ".", i + 1);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      fprintf(stderr, "several_runtimes: %s\n", dlerror());
      _exit(NOT_THERE);
    }
    *(void **)&call_region[i] = dlsym(library, "beside_region");
    uint64_t (*alone)(int64_t);
    *(void **)&alone = dlsym(library, "beside_alone");
    expected = alone(STEPS);
    *(void **)&os_threads = dlsym(library, "beside_os_threads");
  }
}

static void call(int library)
{
  if (call_region[library](STEPS, NULL, NULL) != expected)
    _exit(CHILD_WRONG);
}

/* ------------------------------------------------------------------------------- ways to call */

static void in_turn(int libraries, double *us)
{
  for (int s = -1; s < SAMPLES; s++) { /* before the first sample the runtimes create their threads */
    double before = now_us();
    for (long i = 0; i < regions; i++)
      call((int)(i % libraries));
    if (s >= 0)
      us[s] = (now_us() - before) / (double)regions;
  }
  us[SAMPLES] = (double)os_threads();
}

/* Each thread measures its own beginning and end: a thread that waits for all may have no processor when they begin.  */
struct caller {
  pthread_t thread;
  int library, counts;
  double began[SAMPLES], ended[SAMPLES];
};

static void *call_often(void *argument)
{
  struct caller *me = argument;
  for (int s = -1; s < SAMPLES; s++) {
    pthread_barrier_wait(&together);
    double before = now_us();
    for (long i = 0; i < regions / MOST_THREADS; i++)
      call(me->library);
    if (s >= 0)
      me->began[s] = before, me->ended[s] = now_us();
  }
  pthread_barrier_wait(&together); /* all callers exist */
  if (me->counts)
    counted = os_threads();
  pthread_barrier_wait(&together);
  return NULL;
}

/* From the first caller's beginning until the last one's end, divided by the number of regions.  */
static double time_of(const struct caller *callers, int count, int sample)
{
  double began = callers[0].began[sample], ended = callers[0].ended[sample];
  for (int i = 1; i < count; i++) {
    began = callers[i].began[sample] < began ? callers[i].began[sample] : began;
    ended = callers[i].ended[sample] > ended ? callers[i].ended[sample] : ended;
  }
  return (ended - began) / (double)(regions / MOST_THREADS * count);
}

static void by_threads(const struct way *way, double *us)
{
  static struct caller callers[MOST_THREADS];
  pthread_barrier_init(&together, NULL, (unsigned)way->threads);
  for (int i = 0; i < way->threads; i++) {
    callers[i].library = i % way->libraries;
    callers[i].counts = i == 0;
    if (i > 0 && pthread_create(&callers[i].thread, NULL, call_often, &callers[i]) != 0)
      _exit(NOT_THERE);
  }
  call_often(&callers[0]);
  for (int i = 1; i < way->threads; i++)
    pthread_join(callers[i].thread, NULL);
  for (int s = 0; s < SAMPLES; s++)
    us[s] = time_of(callers, way->threads, s);
  us[SAMPLES] = (double)counted;
}

static void run(double *told, void *argument)
{
  const struct way *way = argument;
  load(way->libraries);
  if (way->threads == 0)
    in_turn(way->libraries, told);
  else
    by_threads(way, told);
}

/* ---------------------------------------------------------------------------------------- rows */

static void measure(const struct way *way)
{
  double told[TOLD];
  const char *wrong = child_finish(child_start(run, TOLD, (void *)way), told, TOLD, limit_s);
  row_print(way->name, "a region", told, SAMPLES, wrong);
  row_print(way->name, "OS threads", told + SAMPLES, 1, wrong);
}

int main(int argc, char **argv)
{
  const struct key keys[] = {{"regions", &regions}, {"limit", &limit_s}};
  long workers;
  if (!keys_read(keys, 2, argc, argv, &workers))
    return 2;
  if (regions < MOST_THREADS || limit_s < 1) {
    fprintf(stderr, "several_runtimes: regions=%ld, limit=%ld: expected at least %d regions and 1 s\n", regions, limit_s, MOST_THREADS);
    return 2;
  }
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    measure(&ways[i]);
  return 0;
}
