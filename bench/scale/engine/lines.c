/* Lines of memory.  A line has an owner or sharers, and a time until which it is on its way.  Who wants it meanwhile waits in
   the order of the clocks: that is what makes a line that many threads change dear.  */
#include "engine.h"

#include <stdlib.h>

enum { LINES = 1 << 20 };
static struct line *lines;
static size_t used;
uint64_t transfers;

void make_lines(void)
{
  lines = calloc(LINES, sizeof *lines);
  if (lines == NULL)
    stop(2, "no memory");
}

static struct line *line_of(uintptr_t address)
{
  uintptr_t key = address >> 6;
  size_t i = (key * 0x9e3779b97f4a7c15u) >> 44;
  for (; lines[i].key != key; i = (i + 1) & (LINES - 1))
    if (lines[i].key == 0) {
      lines[i].key = key;
      lines[i].owner = -1;
      if (++used > LINES / 2)
        stop(5, "the program touches too much memory");
      break;
    }
  return &lines[i];
}

/* A part of each transfer is drawn by lot: an order that always comes hides what others would show.  */
static double drawn(void)
{
  static uint64_t x;
  if (x == 0)
    x = (uint64_t)cost.seed * 0x9e3779b97f4a7c15u + 88172645463325252u;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return 1 + cost.noise * ((double)(x >> 40) / (1 << 24) - 0.5);
}

static double distance(int a, int b)
{
  int cluster = (int)cost.cluster, socket = (int)cost.socket;
  return a / socket != b / socket ? cost.remote : a / cluster == b / cluster ? cost.near : cost.far;
}

static bool shares(const struct line *l, int p) { return l->sharers[p / 64] >> (p % 64) & 1; }

static void share(struct line *l, int p) { l->sharers[p / 64] |= 1ull << (p % 64); }

/* From the nearest sharer, or from memory.  */
static double from_sharers(const struct line *l, int p)
{
  double least = cost.memory;
  bool any = false;
  for (int w = 0; w < WORDS; w++)
    for (uint64_t left = l->sharers[w]; left != 0; left &= left - 1) {
      double d = distance(w * 64 + __builtin_ctzll(left), p);
      least = !any || d < least ? d : least;
      any = true;
      if (d == cost.near)
        return d;
    }
  return least;
}

/* Until the farthest sharer has given up its copy, which moves no data to who has the line, too.  A line that nobody else has is
   in memory.  */
static double to_sharers(const struct line *l, int p)
{
  double most = 0;
  for (int w = 0; w < WORDS; w++)
    for (uint64_t left = l->sharers[w]; left != 0; left &= left - 1) {
      int other = w * 64 + __builtin_ctzll(left);
      double d = other != p ? distance(other, p) : 0;
      most = d > most ? d : most;
    }
  if (most == 0)
    return cost.memory;
  return shares(l, p) ? most * cost.give_up : most;
}

static void move_for_read(struct line *l, int p, ps start)
{
  double latency;
  if (l->owner >= 0) {
    latency = distance(l->owner, p);
    share(l, l->owner);
    l->owner = -1;
    l->busy = start + NS(latency); /* the owner writes it back */
  } else {
    latency = from_sharers(l, p);
    l->busy = start + NS(cost.share);
  }
  share(l, p);
  self->time = start + NS(latency * drawn() / cost.overlap);
}

static void move_for_change(struct line *l, int p, ps start, enum kind kind)
{
  double latency = l->owner >= 0 ? distance(l->owner, p) : to_sharers(l, p);
  for (int w = 0; w < WORDS; w++)
    l->sharers[w] = 0;
  l->owner = p;
  l->busy = start + NS(latency * drawn() + (kind == UPDATE ? cost.locked : 0));
  /* The store buffer hides most of a store from who stores, nothing of it from the others.  */
  self->time = kind == UPDATE ? l->busy : start + NS(latency / 8);
}

/* The program's own accesses count only where it asks for that.  Its code has a section of its own.  */
extern char __start_text_program[] __attribute__((weak)), __stop_text_program[] __attribute__((weak));
static bool program_counts;
void scale_count_program(int yes) { program_counts = yes; }

static bool counts(uintptr_t place)
{
  return on && (program_counts || cost.program != 0 || place < (uintptr_t)__start_text_program || place >= (uintptr_t)__stop_text_program);
}

void touch(const volatile void *address, enum kind kind, uintptr_t place)
{
  static uint64_t accesses;
  if (!counts(place))
    return;
  if (++accesses > cost.most * 1e6 && cost.most > 0)
    stop(5, "it takes too long");
  if (self->time > bound)
    choose();
  struct line *l = line_of((uintptr_t)address);
  int p = self->processor;
  ps began = self->time, start = began > l->busy ? began : l->busy;
  if (l->owner == p || (kind == READ && shares(l, p))) {
    self->time += NS(cost.step + (kind == UPDATE ? cost.locked : cost.hit));
    if (reports)
      note_access(l, place, kind, false, self->time - began);
    return;
  }
  transfers++;
  if (kind == READ)
    move_for_read(l, p, start);
  else
    move_for_change(l, p, start, kind);
  self->time += NS(cost.step);
  if (reports) {
    note_access(l, place, kind, true, self->time - began);
    note_transfer(l, place, start > began, self->time - start);
  }
  self->paused = false;
}

void touch_range(const volatile void *address, size_t size, enum kind kind, uintptr_t place)
{
  for (uintptr_t a = (uintptr_t)address & ~(uintptr_t)63; a < (uintptr_t)address + size; a += 64)
    touch((const volatile void *)a, kind, place);
}
