/* A hybrid program whose author knows nothing of ghc-openmp: MPI between processes, OpenMP within.  It computes some steps
   in each way that the thread level allows (heat.h); the result must equal the serial one, bit by bit.  Rank 0 prints one line.

   usage: heat [NAME=VALUE...]
     level=funneled|serialized|multiple    the level that MPI_Init_thread is asked for (multiple)
     steps=N    of each way (25)
     size=N     cells in a row and in a column (256)
     die=exit|abort|kill|mpi_abort    how the last rank ends, inside a region, while others wait for its edges  */
#include "heat.h"
#include "heat_report.h"

#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  int level;
} levels[] = {{"funneled", MPI_THREAD_FUNNELED}, {"serialized", MPI_THREAD_SERIALIZED}, {"multiple", MPI_THREAD_MULTIPLE}};
static const char *const deaths[] = {"exit", "abort", "kill", "mpi_abort"};

struct arguments {
  const char *level_name, *die;
  int level;
  long steps, size;
};

static void usage(const char *wrong)
{
  fprintf(stderr, "heat: '%s': expected level=funneled, level=serialized, level=multiple, steps=N, size=N, or die=exit, "
                  "die=abort, die=kill, die=mpi_abort\n", wrong);
  exit(2);
}

static long number_in(const char *argument)
{
  char *end;
  long found = strtol(strchr(argument, '=') + 1, &end, 10);
  if (*end != '\0' || found < 1)
    usage(argument);
  return found;
}

static void set_level(struct arguments *a, const char *argument)
{
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (strcmp(argument + strlen("level="), levels[i].name) == 0) {
      a->level_name = levels[i].name;
      a->level = levels[i].level;
      return;
    }
  usage(argument);
}

static void set_death(struct arguments *a, const char *argument)
{
  for (size_t i = 0; i < sizeof deaths / sizeof *deaths; i++)
    if (strcmp(argument + strlen("die="), deaths[i]) == 0) {
      a->die = deaths[i];
      return;
    }
  usage(argument);
}

static struct arguments arguments_of(int argc, char **argv)
{
  struct arguments a = {.level_name = "multiple", .level = MPI_THREAD_MULTIPLE, .steps = 25, .size = 256};
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "level=", 6) == 0)
      set_level(&a, argv[i]);
    else if (strncmp(argv[i], "steps=", 6) == 0)
      a.steps = number_in(argv[i]);
    else if (strncmp(argv[i], "size=", 5) == 0)
      a.size = number_in(argv[i]);
    else if (strncmp(argv[i], "die=", 4) == 0)
      set_death(&a, argv[i]);
    else
      usage(argv[i]);
  return a;
}

/* Called by the region's last thread while all other threads, of this rank and of others, exchange edges.  */
static void die_in_region(struct heat *h, const char *how)
{
#pragma omp parallel
  {
    if (h->rank == h->ranks - 1 && omp_get_thread_num() == omp_get_num_threads() - 1) {
      if (strcmp(how, "exit") == 0)
        exit(3);
      if (strcmp(how, "abort") == 0)
        abort();
      if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
      MPI_Abort(MPI_COMM_WORLD, 7);
    }
#pragma omp for schedule(static)
    for (int piece = 0; piece < HEAT_PIECES; piece++)
      heat_exchange_piece(h, piece);
  }
}

/* Returns the number of steps.  */
static long every_way(struct heat *h, const struct arguments *a)
{
  long done = 0;
  for (enum heat_way way = 0; way < HEAT_WAYS; way++)
    if (heat_way_needs(way) <= a->level) {
      heat_steps(h, way, a->steps);
      done += a->steps;
    }
  return done;
}

static bool is_right(struct heat *h, int level, long steps)
{
  uint64_t found = heat_digest(h), expected = 0;
  bool right = level < MPI_THREAD_MULTIPLE || heat_digest_by_pieces(h) == found;
  if (h->rank == 0)
    expected = heat_serial_digest(h->size, steps);
  MPI_Bcast(&expected, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  return right && found == expected;
}

int main(int argc, char **argv)
{
  struct arguments a = arguments_of(argc, argv);
  struct heat h;
  int provided;
  char what[40];
  MPI_Init_thread(&argc, &argv, a.level, &provided);
  if (provided < a.level)
    heat_fail("level=%s: this MPI gives level %d where %d was asked for", a.level_name, provided, a.level);
  struct report own = report_make();
  heat_begin(&h, a.size);
  if (a.die != NULL)
    die_in_region(&h, a.die);
  bool right = is_right(&h, a.level, every_way(&h, &a));
  snprintf(what, sizeof what, "C, %s", a.level_name);
  report_print(&own, what, right);
  heat_end(&h);
  MPI_Finalize();
  return right ? 0 : 1;
}
