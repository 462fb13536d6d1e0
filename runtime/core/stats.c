#include "core/stats.h"

#include "base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In the order of enum stat.  */
static const struct {
  const char *name, *says;
  bool most; /* a maximum, which a reset does not take back */
} about[STATS] = {
    {"regions", "parallel regions", false},
    {"threads_asked", "threads that regions of more than one asked for", false},
    {"threads_given", "threads that they got", false},
    {"workers_started", "OS threads started", false},
    {"barriers", "arrivals at barriers of teams of more than one", false},
    {"pauses", "pause instructions while waiting", false},
    {"yields", "yields of the processor while waiting", false},
    {"sleeps", "sleeps while waiting", false},
    {"wakes", "sleepers woken", false},
    {"chunks", "chunks of dynamic and guided loops", false},
    {"tasks_at_once", "tasks run at once by who created them", false},
    {"tasks_deferred", "tasks deferred", false},
    {"tasks_stolen", "deferred tasks that another thread took", false},
    {"deepest_queue", "most tasks in one queue", true},
    {"lock_waits", "entries to locks that somebody held", false},
    {"lock_wait_ns", "nanoseconds of them, about", false},
};

static _Atomic(struct thread *) watched;
static _Atomic uint64_t forgotten[STATS];

void ghcomp_stats_watch(struct thread *thread)
{
  struct thread *seen = load_relaxed(&watched);
  do
    thread->watched = seen;
  while (!cas_release(&watched, &seen, thread)); /* pairs with the load in sum */
}

const char *ghcomp_stats_name_of(unsigned stat)
{
  return stat < STATS ? about[stat].name : NULL;
}

static uint64_t sum(unsigned stat)
{
  uint64_t all = 0;
  for (struct thread *t = load_acquire(&watched); t != NULL; t = t->watched) {
    uint64_t value = load_relaxed(&t->stats[stat]);
    if (!about[stat].most)
      all += value;
    else if (value > all)
      all = value;
  }
  return all;
}

uint64_t ghcomp_stats_sum(unsigned stat)
{
  return stat < STATS ? sum(stat) - load_relaxed(&forgotten[stat]) : 0;
}

void ghcomp_stats_forget(void)
{
  for (unsigned i = 0; i < STATS; i++)
    if (!about[i].most)
      store_relaxed(&forgotten[i], sum(i));
}

/* ------------------------------------------------------------------------ at exit */

static bool shown_at_exit;

void ghcomp_stats_configure(void)
{
  const char *text = getenv("GHCOMP_STATS");
  if (text == NULL || strcmp(text, "0") == 0)
    return;
  shown_at_exit = strcmp(text, "1") == 0;
  if (!shown_at_exit)
    ghcomp_message_say("GHCOMP_STATS=%.100s: expected 0 or 1; no table is printed", text);
}

__attribute__((destructor)) static void show(void)
{
  if (!shown_at_exit)
    return;
  for (unsigned i = 0; i < STATS; i++)
    fprintf(stderr, "ghcomp: %-16s %12llu  %s\n", about[i].name,
            (unsigned long long)ghcomp_stats_sum(i), about[i].says);
}
