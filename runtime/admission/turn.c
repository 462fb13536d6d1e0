/* Questions, calls and turns.  See turns.md.  */
#include "admission/turn.h"

#include "admission/decide.h"
#include "admission/queue.h"
#include "base/cycles.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "wait/parking.h"
#include "wait/running.h"

_Atomic unsigned ghcomp_turn_masters;

void ghcomp_turn_count_masters(int more)
{
  add_relaxed(&ghcomp_turn_masters, (unsigned)more);
}

/* -------------------------------------------------------------------- the call */

static bool are_off(void)
{
  return ghcomp_settings.no_turns || !ghcomp_turn_has_others();
}

/* The last call is over.  Relaxed: of two threads that learn at a time, one is right.  */
static void learn_call(struct thread_turn *turn, const struct library *next, uint64_t now)
{
  struct site *site = turn->site;
  if (turn->regions == 0 || site == NULL)
    return;
  if (load_relaxed(&site->regions) != turn->regions)
    store_relaxed(&site->regions, turn->regions);
  struct library *library = load_relaxed(&site->library);
  if (library != NULL && library == next)
    ghcomp_library_average(&library->gap, now - turn->ended, cycles_in(10 * GAP_NS));
}

static bool has_turn(const struct thread_turn *turn)
{
  return load_relaxed(&turn->state) >= TURN_HELD;
}

/* `unused`: the thread asks again, and no region has used its turn.  All that wait decide again then, because many may wait at
   a place that no region follows; but not where they would all spin for a lock.  */
static void give_back(struct thread *self, bool unused)
{
  struct thread_turn *turn = &self->turn;
  struct thread *next = NULL;
  ghcomp_turns_lock();
  if (has_turn(turn)) {
    if (unused)
      ghcomp_site_wasted(turn->at);
    if (unused && load_relaxed(&turn->of->lock) != LOCK_SEEN)
      ghcomp_turns_open(turn->of);
    else
      next = ghcomp_turns_pass(self);
  }
  ghcomp_turns_unlock(next);
}

static bool may_have_lock(const struct library *library)
{
  return load_relaxed(&library->lock) != LOCK_NONE;
}

/* The holder's last region has ended, it does not keep the turn any longer, and nobody waits: a turn that is free.  By the
   clock: if the holder waits for a processor, and the library still holds its lock, the next thread spins, as it would without
   turns.  */
static bool is_left(const struct library *library, uint64_t now)
{
  const struct thread *holder = library->holder;
  return holder != NULL && library->first == NULL && load_relaxed(&holder->turn.state) == TURN_HELD &&
         holder->turn.uses != 0 && now >= load_relaxed(&library->ended) + cycles_in(library->keeps);
}

static struct situation situation_of(const struct thread *self, struct library *library, uint64_t now)
{
  bool own = library->holder == self, free = library->holder == NULL || is_left(library, now);
  struct situation s = {.may_have_lock = may_have_lock(library), .waiting = library->waiting != 0};
  s.probes = !own && !free && ghcomp_library_probes(library, now);
  s.turn = own && now < library->series_end ? ASKS_OWN : own ? ASKS_OWN_SPENT : free ? ASKS_FREE : ASKS_HELD;
  return s;
}

/* Returns what the question got; WAIT: it has waited, and has the turn now or decides again.  */
static enum verdict take_turn(struct thread *self, struct library *library, uint64_t now)
{
  struct thread *next = NULL;
  unsigned ahead = 0;
  bool soon = false;
  ghcomp_turns_lock();
  enum verdict verdict = ghcomp_turn_decide(situation_of(self, library, now));
  if (verdict == WAIT && library->holder == self)
    next = ghcomp_turns_pass(self);
  self->turn.at = self->turn.site;
  if (verdict == TAKE)
    ghcomp_turns_give(self, library);
  else if (verdict == KEEP)
    ghcomp_turns_renew(self);
  else if (verdict == WAIT) {
    soon = load_relaxed(&library->holder->turn.state) == TURN_HELD && library->holder->turn.uses != 0;
    ahead = ghcomp_turns_append(self, library);
  }
  ghcomp_turns_unlock(next);
  if (verdict == WAIT)
    ghcomp_turns_wait(self, library, ahead, soon);
  return verdict;
}

static uint64_t own_clock(const struct thread *self)
{
  return ghcomp_machine_thread_computed(load_relaxed(&self->kernel_thread));
}

/* For each master, and for each worker that a team has or the next region needs.  Who spins takes none from a region then.  */
static bool have_processors(unsigned threads)
{
  unsigned workers = ghcomp_parking_crowd_size();
  return load_relaxed(&ghcomp_turn_masters) + (workers < threads ? threads - 1 : workers) <= ghcomp_machine_processors();
}

/* In a region of a call the master may ask again: an initial team of a target or teams construct is at level 0, too.  */
void ghcomp_turn_ask(struct thread *self, const void *caller, unsigned threads)
{
  struct thread_turn *turn = &self->turn;
  if (turn->in != NULL)
    return;
  if (unlikely(has_turn(turn)) && turn->uses == 0)
    give_back(self, true);
  struct site *site = ghcomp_site_of(caller);
  bool off = are_off() || site == NULL || have_processors(threads);
  uint64_t now = off ? 0 : ghcomp_turns_now();
  if (!off)
    learn_call(turn, load_relaxed(&site->library), now);
  turn->site = site;
  turn->regions = 0;
  turn->asked = now;
  turn->looks = false;
  if (unlikely(has_turn(turn)) && (off || turn->of != ghcomp_library_at(site) || !may_have_lock(turn->of)))
    give_back(self, false);
  off = off || ghcomp_site_skips(site);
  enum verdict verdict = GO;
  while (!off && may_have_lock(ghcomp_library_at(site))) {
    verdict = take_turn(self, ghcomp_library_at(site), now);
    now = turn->asked = verdict == WAIT ? ghcomp_turns_now() : now;
    if (verdict != WAIT || has_turn(turn) || ghcomp_site_skips(site))
      break;
  }
  if (off || has_turn(turn))
    return;
  turn->looks = verdict == GO && ghcomp_library_looks(ghcomp_library_at(site));
  if (turn->looks)
    turn->computed = own_clock(self);
}

/* --------------------------------------------------------------------- regions */

/* A thread that has spun for a region begins its own as soon as that one has ended and the library is prepared, and has computed for
   longer than the preparation.  Another thread begins at any time, or has slept, or has prepared only.  What is soon is a small
   part of what it took, so that chance seldom looks like a lock.  */
static bool has_spun(const struct thread *self, const struct library *library, uint64_t ended)
{
  const struct thread_turn *turn = &self->turn;
  uint64_t took = turn->began - turn->asked, prepares = 2 * (uint64_t)load_relaxed(&library->prepares), leaves = cycles_in(LEAVES_NS);
  uint64_t soon = leaves + took / (AGAIN * AGAIN * AGAIN);
  return turn->began - ended <= prepares + (soon < took / AGAIN ? soon : took / AGAIN) &&
         cycles_in(own_clock(self) - turn->computed) >= prepares + leaves;
}

/* A thread has not spun if no region has ended since it asked.  The first regions of a process may not be counted.  */
static void learn_preparation(const struct thread_turn *turn, struct library *library)
{
  uint64_t ended = load_relaxed(&library->ended);
  if (ended != 0 && ended <= turn->asked)
    ghcomp_library_prepares(library, turn->began - turn->asked);
}

/* The first region of a call begins, and no other runs.  */
static void look_for_lock(const struct thread *self, struct library *library)
{
  uint64_t ended = load_relaxed(&library->ended);
  learn_preparation(&self->turn, library);
  if (ended <= self->turn.asked || self->turn.began - self->turn.asked < cycles_in(LEAVES_NS))
    return;
  bool spun = has_spun(self, library, ended);
  ghcomp_turns_lock();
  if (spun)
    ghcomp_library_saw_lock(library);
  else if (ghcomp_library_saw_none(library))
    ghcomp_turns_open(library);
  ghcomp_turns_unlock(NULL);
}

/* Regions run at the same time.  */
static void note_no_lock(struct library *library)
{
  if (likely(!ghcomp_library_has_none(library)))
    return;
  ghcomp_turns_lock();
  ghcomp_turns_open(library);
  ghcomp_turns_unlock(NULL);
}

static void use_turn(struct thread *self, struct library *library)
{
  struct thread_turn *turn = &self->turn;
  ghcomp_turns_lock();
  if (has_turn(turn) && turn->of == &ghcomp_library_unknown) {
    ghcomp_turns_open(turn->of);
    if (library->holder == NULL && may_have_lock(library))
      ghcomp_turns_give(self, library);
  }
  if (load_relaxed(&turn->state) == TURN_HELD && turn->of == library) {
    if (turn->regions == 1)
      learn_preparation(turn, library);
    store_relaxed(&turn->state, TURN_RUNS);
    turn->uses++;
    ghcomp_site_used(turn->at);
  }
  ghcomp_turns_unlock(NULL);
}

/* With one master there is no turn, but the site learns which library it belongs to.  */
static struct library *learn_library(struct site *site, const void *body)
{
  struct library *known = site != NULL ? load_relaxed(&site->library) : NULL;
  if (likely(known != NULL && load_relaxed(&known->body) == body))
    return known;
  struct library *library = ghcomp_library_of(body);
  if (site != NULL)
    store_relaxed(&site->library, library);
  return library;
}

bool ghcomp_turn_begin(struct thread *self, const void *body)
{
  struct thread_turn *turn = &self->turn;
  struct library *library = learn_library(turn->site, body);
  turn->regions++;
  if (turn->in != NULL || are_off())
    return false;
  turn->in = library;
  turn->began = ghcomp_turns_now();
  if (has_turn(turn))
    use_turn(self, library);
  if (add_relaxed(&library->running, 1) != 0)
    note_no_lock(library);
  else if (turn->looks && turn->regions == 1)
    look_for_lock(self, library);
  return true;
}

/* How long the thread keeps its turn, in nanoseconds.  `more`: regions of this call.  */
static unsigned keeps_for(const struct library *library, bool more)
{
  uint64_t gap = cycles_to_ns(load_relaxed(&library->gap));
  if (more)
    return BETWEEN_NS;
  return gap <= GAP_NS ? (unsigned)(2 * gap) + LEAVES_NS : LEAVES_NS;
}

void ghcomp_turn_end(struct thread *self)
{
  struct thread_turn *turn = &self->turn;
  struct library *library = turn->in;
  if (library == NULL)
    return;
  uint64_t now = turn->ended = ghcomp_turns_now();
  turn->in = NULL;
  store_relaxed(&library->ended, now);
  sub_relaxed(&library->running, 1);
  ghcomp_library_average(&library->took, now - turn->began, UINT32_MAX);
  if (load_relaxed(&turn->state) != TURN_RUNS)
    return;
  bool more = turn->site == NULL || load_relaxed(&turn->site->regions) != turn->regions;
  unsigned ns = keeps_for(library, more);
  struct thread *first = NULL;
  ghcomp_turns_lock();
  if (load_relaxed(&turn->state) == TURN_RUNS) {
    store_relaxed(&turn->state, TURN_HELD);
    library->keeps = ns;
    first = ns == LEAVES_NS ? library->first : NULL; /* nobody else would take the turn */
  }
  ghcomp_turns_unlock(first);
}

/* The lock orders the last write after the last look of a thread that has seized the turn.  */
void ghcomp_turn_abandon(struct thread *self)
{
  ghcomp_turn_end(self);
  give_back(self, false);
  self->turn = (struct thread_turn){0};
}

void ghcomp_turn_after_fork(void)
{
  ghcomp_libraries_forget_threads();
  store_relaxed(&ghcomp_running.regions, 0);
  store_relaxed(&ghcomp_turn_masters, ghcomp_self_pointer != NULL);
}
