#include "base/stats.h"

#include "base/cycles.h"
#include "base/message.h"
#include "machine/clock.h"
#include "machine/disturbance.h"
#include "machine/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of enum stat.  */
static const struct {
  const char *name, *says;
  enum {
    COUNT,
    MOST,  /* a maximum, which a reset does not change */
    CYCLES /* counted in cycles, shown in nanoseconds */
  } kind;
} about[STATS] = {
    {"regions", "parallel regions", COUNT},
    {"threads_asked", "threads that regions of more than one asked for", COUNT},
    {"threads_given", "threads that they got", COUNT},
    {"workers_started", "OS threads started", COUNT},
    {"barriers", "arrivals at barriers of teams of more than one", COUNT},
    {"pauses", "pause instructions while waiting", COUNT},
    {"yields", "yields of the processor while waiting", COUNT},
    {"sleeps", "sleeps while waiting", COUNT},
    {"wakes", "sleepers woken", COUNT},
    {"chunks", "chunks of dynamic and guided loops", COUNT},
    {"tasks_at_once", "tasks run at once by who created them", COUNT},
    {"tasks_deferred", "tasks deferred", COUNT},
    {"tasks_stolen", "deferred tasks that another thread took", COUNT},
    {"deepest_queue", "most tasks in one queue", MOST},
    {"lock_holds", "entries to critical sections and to the program's locks", COUNT},
    {"lock_hold_ns", "nanoseconds of them, about; counted with GHCOMP_STATS=1", CYCLES},
    {"lock_waits", "entries to locks that somebody held", COUNT},
    {"lock_wait_ns", "nanoseconds of waiting for them, about", CYCLES},
    {"haskell_calls", "calls of workers into Haskell loops", COUNT},
    {"capability_wait_ns", "nanoseconds that these waited for a Capability, about", CYCLES},
    {"callbacks", "calls of GHC.OpenMP.Callback's functions from C", COUNT},
    {"callback_wait_ns", "nanoseconds that these waited for a Capability, about", CYCLES},
    {"turns_waited", "questions (omp_get_max_threads) that waited for a turn", COUNT},
    {"turn_wait_ns", "nanoseconds of these waits, about", CYCLES},
    {"room_made", "yields after regions, because the RTS waited for a processor", COUNT},
};

static _Atomic(struct counters *) watched;
static _Atomic uint64_t forgotten[STATS];

void ghcomp_stats_watch(struct counters *counters)
{
  struct counters *seen = load_relaxed(&watched);
  do
    counters->next = seen;
  while (!cas_release(&watched, &seen, counters)); /* pairs with the load in ghcomp_stats_first */
}

const char *ghcomp_stats_name_of(unsigned stat)
{
  return stat < STATS ? about[stat].name : NULL;
}

struct counters *ghcomp_stats_first(void)
{
  return load_acquire(&watched); /* pairs with the compare-and-swap in ghcomp_stats_watch */
}

static uint64_t sum(unsigned stat)
{
  uint64_t all = 0;
  for (struct counters *c = ghcomp_stats_first(); c != NULL; c = c->next) {
    uint64_t value = load_relaxed(&c->count[stat]);
    if (about[stat].kind != MOST)
      all += value;
    else if (value > all)
      all = value;
  }
  return all;
}

/* When the library was loaded.  The time since then gives the length of a cycle.  */
static uint64_t start_ns, start_cycles;

static uint64_t in_ns(uint64_t cycles)
{
  uint64_t passed = cycles_now() - start_cycles;
  return passed != 0 ? (uint64_t)((double)cycles * (double)(clock_ns() - start_ns) / (double)passed) : 0;
}

uint64_t ghcomp_stats_sum(unsigned stat)
{
  uint64_t value = stat < STATS ? sum(stat) - load_relaxed(&forgotten[stat]) : 0;
  return stat < STATS && about[stat].kind == CYCLES ? in_ns(value) : value;
}

void ghcomp_stats_forget(void)
{
  for (unsigned i = 0; i < STATS; i++)
    if (about[i].kind != MOST)
      store_relaxed(&forgotten[i], sum(i));
}

/* ------------------------------------------------------------------------ at exit */

static bool shown_at_exit;
bool ghcomp_stats_timed;

void ghcomp_stats_configure(void)
{
  start_ns = clock_ns();
  start_cycles = cycles_now();
  const char *text = getenv("GHCOMP_STATS");
  if (text == NULL || strcmp(text, "0") == 0)
    return;
  shown_at_exit = ghcomp_stats_timed = strcmp(text, "1") == 0;
  if (shown_at_exit)
    ghcomp_machine_keep_error_open();
  else
    ghcomp_message_say("GHCOMP_STATS=%.100s: expected 0 or 1; no table is printed", text);
}

const char *(*ghcomp_stats_note)(void);

__attribute__((destructor)) static void show(void)
{
  int out = shown_at_exit ? ghcomp_machine_error_descriptor() : -1;
  if (out < 0)
    return;
  int cancellation = ghcomp_machine_hold_cancellation();
  const char *note = ghcomp_stats_note != NULL ? ghcomp_stats_note() : NULL;
  if (note != NULL)
    dprintf(out, "ghcomp: %s\n", note);
  for (unsigned i = 0; i < STATS; i++)
    dprintf(out, "ghcomp: %-18s %12llu  %s\n", about[i].name,
            (unsigned long long)ghcomp_stats_sum(i), about[i].says);
  ghcomp_machine_let_cancellation(cancellation);
}
