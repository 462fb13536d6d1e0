/* Programs that lose if regions, or questions for the size of a team, wait for the regions of other threads, and one that gains.
   Masters repeat what their kind does for a fixed time; then the program prints what they did and ends, whatever its threads
   still wait for.

   usage: turns_corpus WORKERS [KEY=VALUE]...     prints rows: the time for one of what masters count, in microseconds of the
                                                  whole program, and the same for the slowest master; or that none was done

   kind=       what masters do; the files corpus_*.c
   masters=    how many there are
   asks=       1: each calls omp_get_max_threads before its regions, from one of places= places (1 to 8)
   steps=      of each of the 64 iterations of a region, about 1.2 ns each
   way=        spin, yield or pipe: how regions wait for each other
   form=       compute, sleep, pipe or barriers: what a long region does
   order=      first or last: when those links of a chain arrive that wait
   processes=  2: every other master is in a second process
   ms=         the time */
#include "beside.h"
#include "clocks.h"
#include "corpus.h"
#include "keys.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { MOST_MASTERS = 1000, MOST_MS = 60000 };

static const struct kind *const kinds[] = {
    &corpus_callers, &corpus_prepare, &corpus_come_and_go, &corpus_nested, &corpus_ask_only, &corpus_sleeping, &corpus_long, &corpus_meet, &corpus_exchange,
    &corpus_chain, &corpus_interpreter_lock, &corpus_spin_lock,
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *kind;
static pthread_barrier_t begin;

static void *run(void *argument)
{
  struct master *me = argument;
  pthread_barrier_wait(&begin);
  for (;;)
    kind->round(me);
  return NULL;
}

/* 0: this process has all masters, or the even ones; 1: it is the other process, which ends with the first one.  */
static long split(void)
{
  if (corpus.processes < 2)
    return 0;
  pid_t first = getpid(), other = fork();
  if (other < 0)
    corpus_fail("another process cannot be made");
  if (other > 0)
    return 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != first)
    _exit(0);
  return 1;
}

/* The masters of one process: each one, or every other one.  */
static struct master *start(long first, long stride)
{
  struct master *all = aligned_alloc(_Alignof(struct master), (size_t)corpus.masters * sizeof *all);
  if (all == NULL)
    corpus_fail("no memory");
  pthread_barrier_init(&begin, NULL, (unsigned)((corpus.masters - first + stride - 1) / stride + 1));
  for (long i = first; i < corpus.masters; i += stride) {
    all[i].number = i;
    all[i].count = 0;
    if (pthread_create(&all[i].thread, NULL, run, &all[i]) != 0)
      corpus_fail("a thread cannot be made");
  }
  pthread_barrier_wait(&begin);
  return all;
}

static void print(const char *what, const char *of, double took, long count, long ms)
{
  printf("%s%s: ", what, of);
  if (count > 0)
    printf("%.2f\n", took / (double)count);
  else
    printf("none in %ld ms\n", ms);
}

static int counts(long number, int which)
{
  return (kind->which != NULL ? kind->which(number) : 0) == which;
}

static void report(const struct master *all, long stride, double began, long ms)
{
  double took = now_us() - began;
  for (int which = 0; which < 2 && kind->counts[which] != NULL; which++) {
    long sum = 0, least = -1, masters = 0;
    for (long i = 0; i < corpus.masters; i += stride)
      if (counts(i, which)) {
        long count = __atomic_load_n(&all[i].count, __ATOMIC_RELAXED);
        sum += count;
        masters++;
        least = least < 0 || count < least ? count : least;
      }
    print(kind->counts[which], "", took, sum, ms);
    if (masters > 1)
      print(kind->counts[which], " of the slowest master", took, least, ms);
  }
}

static void rest(long ms)
{
  struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
  while (nanosleep(&left, &left) != 0)
    ;
}

static void measure(long ms)
{
  corpus.expected = beside_alone(corpus.steps);
  if (kind->prepare != NULL)
    kind->prepare();
  long process = split();
  struct master *all = start(process, corpus.processes);
  double began = now_us();
  rest(process == 0 ? ms : MOST_MS);
  if (process == 0)
    report(all, corpus.processes, began, ms);
  fflush(stdout);
  _exit(0); /* regions have not ended, and some never would */
}

int main(int argc, char **argv)
{
  static const char *const ways[] = {"spin", "yield", "pipe", NULL}, *const forms[] = {"compute", "sleep", "pipe", "barriers", NULL},
                          *const orders[] = {"first", "last", NULL};
  static const char *names[KINDS + 1];
  for (int i = 0; i < KINDS; i++)
    names[i] = kinds[i]->name;
  long workers, number = 0, ms = 500;
  const struct key keys[] = {{"kind", &number, names}, {"masters", &corpus.masters}, {"asks", &corpus.asks}, {"places", &corpus.places},
                             {"steps", &corpus.steps}, {"way", &corpus.way, ways}, {"form", &corpus.form, forms},
                             {"order", &corpus.order, orders}, {"processes", &corpus.processes}, {"ms", &ms}};
  if (!keys_read(keys, sizeof keys / sizeof *keys, argc, argv, &workers))
    return 2;
  kind = kinds[number];
  if (corpus.masters < 1 || corpus.masters > MOST_MASTERS || corpus.places < 1 || corpus.places > MOST_PLACES || corpus.processes < 1 ||
      corpus.processes > 2 || ms < 1 || ms > MOST_MS) {
    fprintf(stderr, "turns_corpus: expected masters=1 to %d, places=1 to %d, processes=1 or 2, ms=1 to %d\n", MOST_MASTERS, MOST_PLACES,
            MOST_MS);
    return 2;
  }
  measure(ms);
}
