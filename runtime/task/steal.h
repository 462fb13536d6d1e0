/* How many ready tasks a member keeps for the others before it executes new ones at once: the
   reserve.

   When the deque holds the reserve, the others have enough.  In a recursion a small reserve is
   enough for nearly all tasks.  If thieves empty the deque, it grows until they do not.
   KMP_ENABLE_TASK_THROTTLING=0 makes it larger than any deque.

   A thread that executes a task does not create the next one, for which that task and idle members
   may wait.  So where others may be idle it leaves a ready task for each of them first:

     - A task that has created some creates many, one after the other, and may be the only one who
       does: always.
     - Otherwise, a recursion: for as many tasks as there are others, after thieves have taken one,
       and after the deque was empty, as at the beginning.  Teams of up to five threads are served by
       the usual reserve.  In larger ones with more threads than processors a recursion pays: fib(25)
       with 8 and 16 threads on two processors took 1.1 to 1.3 times as long as without this, quiet or
       under a quota, and up to 1.5 times beside other programs.  */
#ifndef GHCOMP_TASK_STEAL_H
#define GHCOMP_TASK_STEAL_H

#include "base/cycles.h"
#include "settings/icv.h"
#include "state/thread.h"
#include "task/deque.h"

enum { FEWEST_RESERVE = 4, MOST_RESERVE = 256, TASKS_TO_SHRINK = 64 };

/* Deferred children, since its last taskwait, of a task that creates many.  A recursion with two children has deferred one at most
   when its next look counts.  */
enum { MANY_CHILDREN = 2 };

/* A deque holds more tasks only if they could neither be executed at once nor be waited for.  */
enum { UNUSUAL_LENGTH = 2 * MOST_RESERVE };

#define UNLIMITED_RESERVE ((unsigned)INT32_MAX)

static inline void ghcomp_reserve_set(struct member_tasks *tasks, unsigned extra)
{
  tasks->extra_reserve = extra;
  tasks->extra_for_all = FEWEST_RESERVE + extra > tasks->others ? extra : tasks->others - FEWEST_RESERVE;
}

/* Called when the team gets another size.  */
static inline void ghcomp_reserve_begin(struct member *member, unsigned team_size)
{
  bool limited = member->tasks.extra_reserve != UNLIMITED_RESERVE;
  unsigned others = team_size - 1;
  member->tasks.others = others < MOST_RESERVE ? others : MOST_RESERVE;
  member->tasks.for_others = member->tasks.others;
  ghcomp_reserve_set(&member->tasks, ghcomp_settings.defers_all_tasks ? UNLIMITED_RESERVE : limited ? member->tasks.extra_reserve : 0);
}

static inline bool ghcomp_reserve_is_unlimited(const struct member *member)
{
  return member->tasks.extra_reserve == UNLIMITED_RESERVE;
}

/* So many ready tasks are enough if all others are idle.  */
static inline int64_t ghcomp_reserve_for_all(const struct member *member)
{
  return (int64_t)member->tasks.extra_for_all + FEWEST_RESERVE;
}

/* So many ready tasks are enough for the others.  */
static inline int64_t ghcomp_reserve_enough(const struct member *member)
{
  const struct member_tasks *tasks = &member->tasks;
  bool for_all = tasks->for_others != 0 || member->task->created >= MANY_CHILDREN;
  return for_all ? ghcomp_reserve_for_all(member) : (int64_t)tasks->extra_reserve + FEWEST_RESERVE;
}

/* True: so many ready tasks are enough for the others, and the next one may be executed at once.  */
static inline bool ghcomp_reserve_suffices(const struct member *member, int64_t length)
{
  return length - FEWEST_RESERVE >= (int64_t)member->tasks.extra_for_all || length >= ghcomp_reserve_enough(member);
}

/* The same of those that it holds; also true if there are no others.  */
static inline bool ghcomp_reserve_is_full(const struct member *member)
{
  return member->team->own_tasks_only || ghcomp_reserve_suffices(member, ghcomp_deque_length(&member->deque));
}

/* Called when a task is about to be deferred.  The reserve grows if thieves have emptied the deque,
   and shrinks after a while without thieves.
   In a large team the owner's last look may be old (others_have_enough in task.c), and what it has taken itself since hides what
   thieves have taken.  So it looks before it no longer leaves a task for each of the others.
   Requires: is_due in task.c was asked, unless the task is not for the deque.  */
static inline void ghcomp_reserve_adjust(struct member *member)
{
  if (unlikely(member->tasks.for_others == 1))
    ghcomp_deque_look(&member->deque);
  int64_t stolen = ghcomp_deque_stolen(&member->deque), length = ghcomp_deque_length_seen(&member->deque);
  unsigned whole = FEWEST_RESERVE + member->tasks.extra_reserve;
  if (length == 0 || stolen != member->tasks.stolen_seen)
    member->tasks.for_others = member->tasks.others;
  else if (length >= FEWEST_RESERVE && member->tasks.for_others != 0)
    member->tasks.for_others--;
  if (stolen != member->tasks.stolen_seen) {
    member->tasks.stolen_seen = stolen;
    member->tasks.since_change = 0;
    if (length == 0 && whole < MOST_RESERVE)
      ghcomp_reserve_set(&member->tasks, 2 * whole - FEWEST_RESERVE);
  } else if (++member->tasks.since_change == TASKS_TO_SHRINK) {
    member->tasks.since_change = 0;
    if (whole <= MOST_RESERVE)
      ghcomp_reserve_set(&member->tasks, whole < 2 * FEWEST_RESERVE ? 0 : whole / 2 - FEWEST_RESERVE);
  }
}

/* --------------------------------------------------------- pauses of a thief */

/* When a thief pauses.

   To steal a task takes a few transfers of cache lines, which also delay the victim.  A thief
   measures how long a steal takes.  If the stolen tasks take only a few times as long, it pauses
   before it steals again, longer each time.  One or two long tasks end this.  So a producer of tiny
   tasks executes most of them itself, and a thief comes back often enough to find the first long
   task soon.

   A thief that the system has moved to the victim's processor finds the victim's lines there, and
   its steals seem to cost nothing.  So no steal counts as shorter than one between two processors.

   Four steals: with eight, tasks of 1 µs from one producer took two threads as long as one, 2.2 µs each two, with four 1.5; shorter
   ones take the same with both.  With two, sixteen simulated threads take twice as long for these tasks as with four.

   Only the thread itself uses these fields.  */

enum { WORTH_STEALS = 4, FIRST_PAUSE_NS = 1000, LONGEST_PAUSE_NS = 16000, SHORTEST_STEAL_NS = 80, LONGEST_STEAL_NS = 2000 };

/* Other threads were faster at a deque.  Whoever comes again at once takes the line from them and from the owner.  So the thief waits
   for half as long as a steal takes, and twice as long each time, until it steals a task or meets nobody.  Simulated, tasks of 10 µs from one
   producer take a team of 64 22 µs, without the wait 41.  A wait of two steals each time takes 24, and tasks of a taskloop, where each
   loses now and then, a tenth longer.  So the wait is eight steals at most, 16 µs, in which the thread does not see that its phase has
   ended.  */
enum { MOST_LOSSES = 4 };

static inline void ghcomp_thief_loses(struct thread *self)
{
  uint64_t wait = (self->tasks.steal_cost << self->tasks.losses) / 2;
  self->tasks.met_others = true;
  self->tasks.losses += self->tasks.losses != MOST_LOSSES;
  for (uint64_t end = cycles_now() + wait; cycles_now() < end;)
    cpu_relax();
}

static inline bool ghcomp_thief_pauses(const struct thread *self)
{
  return self->tasks.steal_pause != 0 && cycles_now() < self->tasks.steal_pause_end;
}

/* Sets `tasks.steal_pause` to 0 if the pause is over.  */
static inline void ghcomp_thief_end_pause(struct thread *self)
{
  if (!ghcomp_thief_pauses(self))
    self->tasks.steal_pause = 0;
}

/* After a steal that began at `began` (cycles): updates the average, in which a steal that was
   interrupted counts for little.  */
static inline void ghcomp_thief_note_steal(struct thread *self, uint64_t began)
{
  uint64_t took = cycles_now() - began, most = cycles_in(LONGEST_STEAL_NS);
  self->tasks.steal_cost = (self->tasks.steal_cost * 7 + (took < most ? took : most)) / 8;
}

/* After a stolen task that began at `began`: decides about a pause.  So many were stolen together, and the others take as long.  */
static inline void ghcomp_thief_judge(struct thread *self, uint64_t began, unsigned stolen)
{
  uint64_t now = cycles_now(), least = cycles_in(SHORTEST_STEAL_NS);
  uint64_t cost = self->tasks.steal_cost > least ? self->tasks.steal_cost : least;
  if ((now - began) * stolen >= cost * WORTH_STEALS) {
    self->tasks.steal_pause = self->tasks.steal_pause < 4 * FIRST_PAUSE_NS ? 0 : self->tasks.steal_pause / 4;
    self->tasks.steal_pause_end = now;
    return;
  }
  uint32_t longer = self->tasks.steal_pause == 0 ? FIRST_PAUSE_NS : self->tasks.steal_pause * 2;
  self->tasks.steal_pause = longer < LONGEST_PAUSE_NS ? longer : LONGEST_PAUSE_NS;
  self->tasks.steal_pause_end = now + cycles_in(self->tasks.steal_pause);
}

#endif
