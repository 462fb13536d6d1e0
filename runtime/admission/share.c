/* Which part of the processors the process uses while its regions could use all of them: while they wait for turns, and
   while they run without turns.  If it is small, others compute, or the regions leave processors idle.

   One window of time follows the other.  It ends with a region, or when a thread that waits looks around, and is
   measured by the process's processor time.  So it costs a system call in some milliseconds.  */
#include "admission/queue.h"

#include "base/cycles.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "settings/icv.h"

/* The least time of a window in which regions wait.  */
#define WINDOW_NS 3000000u
/* Percent.  All begins as if the process had used ALL.  Each window counts half, so at least two must be bad: in one the
   process may just have started its threads.  While the queue is open, regions are blocked and may need few processors.  */
enum { ALL = 100, SMALL = 50, SMALL_WHILE_OPEN = 35 };
/* After a decision, so that one window is enough to confirm it when turns are tried again.  */
enum { DOUBTFUL = 65 };
/* Of the time in which regions run without turns.  */
enum { NEARLY_ALL = 85 };

struct window {
  uint64_t began;    /* cycles; 0: it has not */
  uint64_t computed; /* nanoseconds: the process until then */
};

/* The queue's lock.  */
static struct window while_waiting;
static unsigned usual_share = ALL;

/* Relaxed.  Only the thread that decides or checks writes them (payoff.c).  */
static struct {
  _Atomic uint64_t began, computed;
} without_turns;

static struct window begin_window(uint64_t now)
{
  return (struct window){now, ghcomp_machine_process_computed()};
}

/* A Haskell program with -N has fewer processors for its regions than the machine, or more.  */
static unsigned capacity(void)
{
  unsigned most = ghcomp_icv_default_threads(), processors = ghcomp_machine_processors();
  return most < processors ? most : processors;
}

/* Percent of what the processors offer, in a window that ends now.  */
static unsigned share_of(struct window window, uint64_t now)
{
  uint64_t offered = cycles_to_ns(now - window.began) * capacity();
  uint64_t computed = ghcomp_machine_process_computed() - window.computed;
  return computed >= offered ? ALL : (unsigned)(ALL * computed / offered);
}

bool ghcomp_admission_share_is_small(bool regions_wait)
{
  bool open = ghcomp_admission_queue_is_open();
  uint64_t now = ghcomp_admission_now();
  if ((!regions_wait && !open) || ghcomp_admission_payoff_is_unused()) {
    while_waiting.began = 0;
    return false;
  }
  if (while_waiting.began != 0 && now - while_waiting.began < cycles_in(WINDOW_NS))
    return false;
  if (while_waiting.began != 0)
    usual_share = (usual_share + share_of(while_waiting, now)) / 2;
  while_waiting = begin_window(now);
  if (usual_share >= (open ? SMALL_WHILE_OPEN : SMALL))
    return false;
  usual_share = DOUBTFUL;
  return true;
}

void ghcomp_admission_share_begin_without(uint64_t now)
{
  struct window window = begin_window(now);
  store_relaxed(&without_turns.began, window.began);
  store_relaxed(&without_turns.computed, window.computed);
}

uint64_t ghcomp_admission_share_began_without(void)
{
  return load_relaxed(&without_turns.began);
}

bool ghcomp_admission_share_is_nearly_all(uint64_t now)
{
  struct window window = {load_relaxed(&without_turns.began), load_relaxed(&without_turns.computed)};
  return share_of(window, now) >= NEARLY_ALL;
}

void ghcomp_admission_share_forget(void)
{
  while_waiting.began = 0;
  usual_share = ALL;
}
