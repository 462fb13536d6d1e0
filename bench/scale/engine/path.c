/* The critical path: back from the end of what is reported, from each transfer to the one that it had to wait for.  That is
   * the transfer before it of the same line, if the line was still on its way;
   * the last transfer of the line, if the thread has paused since its own last one: it looked for what another one wrote;
   * else its own last transfer.
   A wake-up is a step as well: the woken thread goes on from what its waker has done.  */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { STEPS = 1 << 25 };
struct step {
  struct step *before;
  uintptr_t place, key;
  ps at, took; /* its end; its own length */
  int thread;
  enum { MOVED, QUEUED, SAW, WOKEN } how;
};
static const char *const names[] = {"moved", "queued", "saw", "woken"};
static struct step *steps;
static size_t used;
static struct step *first; /* those before it belong to what was before */

static struct step *next_step(void)
{
  if (steps == NULL) {
    steps = mmap(NULL, STEPS * sizeof *steps, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (steps == MAP_FAILED)
      stop(2, "no memory");
  }
  if (used == STEPS)
    stop(5, "too long for a critical path");
  return &steps[used++];
}

void note_transfer(struct line *l, uintptr_t place, bool queued, ps took)
{
  struct step *s = next_step();
  bool other = l->moved != NULL && l->moved->thread != self->number;
  s->how = other && queued ? QUEUED : other && self->paused ? SAW : MOVED;
  s->before = s->how == MOVED ? self->last : l->moved;
  s->place = place;
  s->key = l->key;
  s->at = self->time;
  s->took = took;
  s->thread = self->number;
  self->last = l->moved = s;
}

void note_wake(struct thread *woken, uintptr_t place, ps took)
{
  struct step *s = next_step();
  *s = (struct step){.before = self->last, .place = place, .at = woken->time, .took = took, .thread = woken->number, .how = WOKEN};
  woken->last = s;
  woken->paused = false;
}

/* What was before stays in memory, because lines and threads point to it, but counts no more.  */
void forget_path(void) { first = steps + used; }

/* From the end to the beginning.  Between the end of the step before and the beginning of a step its thread computed, paused, or
   was in a system call.  A line is given on before its reader has it, so a step may end before the one that it follows: `left` sees
   to it that no time counts twice.  */
void write_path(int file, ps began)
{
  ps left = self->time;
  for (struct step *s = self->last; s != NULL && s >= first; s = s->before) {
    ps at = s->at < left ? s->at : left, before = s->before != NULL && s->before >= first && s->before->at > began ? s->before->at : began;
    if (s == self->last)
      dprintf(file, "end\t%d\t%lu\n", self->number, left - at);
    left = before < at ? before : at;
    dprintf(file, "step\t%s\t%d\t%#lx\t%#lx\t%lu\t%lu\n", names[s->how], s->thread, s->place, s->key << 6, s->took, at - left);
  }
}
