/* How many ready tasks a member keeps for the others before it runs new ones at once.

   Tasks are for the others; when the deque holds the reserve, they have enough.  In a
   recursion that is true of nearly all tasks when a few are kept; where one thread
   produces for many others they empty the deque, and the reserve grows until they do
   not.  */
#ifndef GHCOMP_TASK_STEAL_H
#define GHCOMP_TASK_STEAL_H

#include "base/cycles.h"
#include "state/thread.h"
#include "task/deque.h"

enum { FEWEST_RESERVE = 4, MOST_RESERVE = 256, CALM_TASKS = 64 };

/* More are in a deque only where they could neither run at once nor be waited for.  */
enum { PILED_UP = 2 * MOST_RESERVE };

/* The others have enough: the next task is to be run at once.  */
static inline bool ghcomp_reserve_holds_enough(const struct member *member)
{
  return ghcomp_deque_length(&member->deque) - FEWEST_RESERVE >= (int64_t)member->tasks.reserve;
}

/* The same where there may be no others.  */
static inline bool ghcomp_reserve_is_full(const struct member *member)
{
  return member->team->alone || ghcomp_reserve_holds_enough(member);
}

/* A task is about to be deferred: the reserve grows when thieves left nothing, and gets
   smaller after a while without thieves.  */
static inline void ghcomp_reserve_adjust(struct member *member)
{
  int64_t stolen = ghcomp_deque_stolen(&member->deque);
  unsigned whole = FEWEST_RESERVE + member->tasks.reserve;
  if (stolen != member->tasks.stolen) {
    member->tasks.stolen = stolen;
    member->tasks.since_change = 0;
    if (ghcomp_deque_length(&member->deque) == 0 && whole < MOST_RESERVE)
      member->tasks.reserve = 2 * whole - FEWEST_RESERVE;
  } else if (++member->tasks.since_change == CALM_TASKS) {
    member->tasks.since_change = 0;
    member->tasks.reserve = whole < 2 * FEWEST_RESERVE ? 0 : whole / 2 - FEWEST_RESERVE;
  }
}

/* --------------------------------------------------------- pauses of a thief */

/* When a thief leaves a victim alone.

   A task changes hands in a few cache-line transfers, which the victim pays for
   too; a thief sees what by how long a steal takes.  Where the tasks that it gets
   take only some times that, it waits before it steals again, longer each time;
   a long task or two end this.  So a producer of tiny tasks executes most of them
   itself, undisturbed, and a thief comes back often enough to find the first long
   one soon.

   Only the thread itself uses these fields.  */

enum { WORTH_STEALS = 8, FIRST_PAUSE_NS = 1000, LONGEST_PAUSE_NS = 16000, LONGEST_STEAL_NS = 2000 };

static inline bool ghcomp_thief_pauses(const struct thread *self)
{
  return self->tasks.pause != 0 && cycles_now() < self->tasks.pause_end;
}

/* From here on `tasks.pause` says whether it pauses: a pause that is over is none.  */
static inline void ghcomp_thief_end_pause(struct thread *self)
{
  if (!ghcomp_thief_pauses(self))
    self->tasks.pause = 0;
}

/* After a steal that began at `began` (cycles): an average, in which a steal that
   was interrupted counts for little.  */
static inline void ghcomp_thief_note_steal(struct thread *self, uint64_t began)
{
  uint64_t took = cycles_now() - began, most = cycles_in(LONGEST_STEAL_NS);
  self->tasks.steal_cost = (self->tasks.steal_cost * 7 + (took < most ? took : most)) / 8;
}

/* After a stolen task, which began at `began`.  */
static inline void ghcomp_thief_judge(struct thread *self, uint64_t began)
{
  uint64_t now = cycles_now();
  if (now - began >= self->tasks.steal_cost * WORTH_STEALS) {
    self->tasks.pause = self->tasks.pause < 4 * FIRST_PAUSE_NS ? 0 : self->tasks.pause / 4;
    self->tasks.pause_end = now;
    return;
  }
  uint32_t longer = self->tasks.pause == 0 ? FIRST_PAUSE_NS : self->tasks.pause * 2;
  self->tasks.pause = longer < LONGEST_PAUSE_NS ? longer : LONGEST_PAUSE_NS;
  self->tasks.pause_end = now + cycles_in(self->tasks.pause);
}

#endif
