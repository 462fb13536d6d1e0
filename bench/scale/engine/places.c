/* For a report: each pair of a line and a place in the code, how often that place touched the line, and what the transfers took;
   and which places made system calls.  The report is a file of words between tabs, which the command `scale --why` reads.  */
#include "engine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PAIRS = 1 << 18, CALLS = 1 << 10 };
struct pair {
  uintptr_t key, place;
  uint64_t touched[3], moved;
  ps took;
};
struct call {
  uintptr_t place;
  uint64_t made;
};
static struct pair *pairs;
static struct call calls[CALLS];
static size_t pairs_used;
static const char *path;
static ps began;
bool reports;

void read_report(void)
{
  path = getenv("SCALE_REPORT");
  if (path != NULL && (pairs = calloc(PAIRS, sizeof *pairs)) == NULL)
    stop(2, "no memory");
}

static size_t hash(uintptr_t a, uintptr_t b) { return (a * 0x9e3779b97f4a7c15u ^ b * 0xc2b2ae3d27d4eb4fu) >> 20; }

void note_access(const struct line *l, uintptr_t place, enum kind kind, bool moved, ps took)
{
  size_t i = hash(l->key, place) & (PAIRS - 1);
  while (pairs[i].key != 0 && (pairs[i].key != l->key || pairs[i].place != place))
    i = (i + 1) & (PAIRS - 1);
  struct pair *p = &pairs[i];
  if (p->key == 0) {
    if (++pairs_used > PAIRS / 2)
      stop(5, "too many lines for a report");
    p->key = l->key;
    p->place = place;
  }
  p->touched[kind]++;
  p->moved += moved;
  p->took += moved ? took : 0;
}

void note_call(uintptr_t place)
{
  size_t i = hash(place, 0) & (CALLS - 1);
  while (calls[i].made != 0 && calls[i].place != place)
    i = (i + 1) & (CALLS - 1);
  calls[i].place = place;
  calls[i].made++;
}

void scale_begin(void)
{
  if (path == NULL)
    return;
  reports = true;
  clear(pairs, PAIRS * sizeof *pairs);
  clear(calls, sizeof calls);
  pairs_used = 0;
  forget_path();
  began = self->time;
}

void scale_end(const char *row, double rounds)
{
  if (!reports)
    return;
  reports = false;
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0)
    stop(2, "cannot write the report");
  dprintf(file, "row\t%s\t%g\t%lu\n", row, rounds, self->time - began);
  for (size_t i = 0; i < PAIRS; i++)
    if (pairs[i].key != 0)
      dprintf(file, "line\t%#lx\t%#lx\t%lu\t%lu\t%lu\t%lu\t%lu\n", pairs[i].key << 6, pairs[i].place, pairs[i].touched[READ],
              pairs[i].touched[WRITE], pairs[i].touched[UPDATE], pairs[i].moved, pairs[i].took);
  for (size_t i = 0; i < CALLS; i++)
    if (calls[i].made != 0)
      dprintf(file, "call\t%#lx\t%lu\n", calls[i].place, calls[i].made);
  write_path(file, began);
  close(file);
}
