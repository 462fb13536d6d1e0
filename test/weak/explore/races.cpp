/* The race check: which threads accessed each byte of the model's memory, and when.  */
#include "explore.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

/* The accesses to a byte.  */
struct Cell {
  uint32_t run;
  bool freed;
  uint8_t writer;             /* the last plain write; MOST_THREADS: none */
  uint16_t version;           /* plain writes so far: each begins a new location */
  uint16_t written;           /* when: 1 more than the events that the writer had done */
  uint16_t read[MOST_THREADS], atomic_read[MOST_THREADS], atomic_write[MOST_THREADS];
};
static Cell *cells;
static uint32_t run_number; /* a cell of an earlier run counts as new */

void make_cells()
{
  cells = (Cell *)map(((MOST_THREADS + 1) * (size_t)ARENA + MOST_DATA) * sizeof(Cell));
}

void forget_accesses()
{
  run_number++;
}

static size_t cell_index(const volatile void *p)
{
  const char *a = (const char *)p;
  if (a >= arena && a < arena + (MOST_THREADS + 1) * (size_t)ARENA)
    return (size_t)(a - arena);
  if (a >= model.data && a < model.data + model.data_size)
    return (MOST_THREADS + 1) * (size_t)ARENA + (size_t)(a - model.data);
  return SIZE_MAX; /* a stack, or memory of the explorer */
}

static bool is_local(const volatile void *p)
{
  for (int i = 0; i < local_count; i++)
    if ((char *)p >= locals[i].variable && (char *)p < locals[i].variable + locals[i].size)
      return true;
  return false;
}

static Cell &cell_at(size_t index)
{
  Cell &cell = cells[index];
  if (cell.run != run_number) {
    memset((void *)&cell, 0, sizeof cell);
    cell.run = run_number;
    cell.writer = MOST_THREADS;
  }
  return cell;
}

/* Does an earlier access of `thread`, after `when` - 1 events, happen before this one?  */
static bool is_ordered(unsigned thread, uint16_t when)
{
  return when == 0 || (int)thread == current || threads[current].before.count[thread] >= when;
}

static const void *caller; /* of the last plain access */

[[noreturn]] static void race(const volatile void *p, const char *what, unsigned other)
{
  Dl_info info = {};
  dladdr(caller, &info);
  char text[300];
  snprintf(text, sizeof text, "data race: %s of thread %d with thread %u, %p, near %s+%#lx", what, current, other,
           (const void *)p, info.dli_sname ? info.dli_sname : "?",
           (unsigned long)((const char *)caller - (const char *)info.dli_fbase));
  report(text);
}

static void access_byte(const volatile void *p, Cell &cell, Access access)
{
  static const char *names[] = {"read", "write", "atomic read", "atomic write"};
  if (cell.freed)
    race(p, "use after release", cell.writer);
  if (cell.writer != MOST_THREADS && !is_ordered(cell.writer, cell.written))
    race(p, names[access], cell.writer);
  for (unsigned t = 0; t < model.threads; t++) {
    if (access != ATOMIC_READ && access != ATOMIC_WRITE && !is_ordered(t, cell.atomic_write[t]))
      race(p, names[access], t);
    if ((access == PLAIN_WRITE || access == ATOMIC_WRITE) && !is_ordered(t, cell.read[t]))
      race(p, names[access], t);
    if (access == PLAIN_WRITE && !is_ordered(t, cell.atomic_read[t]))
      race(p, names[access], t);
  }
  uint16_t now = (uint16_t)(threads[current].done + 1);
  switch (access) {
  case PLAIN_READ: cell.read[current] = now; break;
  case ATOMIC_READ: cell.atomic_read[current] = now; break;
  case ATOMIC_WRITE: cell.atomic_write[current] = now; break;
  case PLAIN_WRITE:
    cell.writer = (uint8_t)current;
    cell.written = now;
    cell.version++;
    memset(cell.read, 0, sizeof cell.read);
    memset(cell.atomic_read, 0, sizeof cell.atomic_read);
    memset(cell.atomic_write, 0, sizeof cell.atomic_write);
  }
}

uint64_t key_of(const volatile void *p)
{
  size_t index = cell_index(p);
  uint64_t version = index == SIZE_MAX ? 0 : cell_at(index).version;
  return (uint64_t)(uintptr_t)p | version << 48;
}

void plain(const volatile void *p, size_t size, Access access)
{
  if (current < 0)
    return;
  size_t index = cell_index(p);
  if (index == SIZE_MAX || is_local(p))
    return;
  for (size_t i = 0; i < size; i++) {
    Cell &cell = cell_at(index + i);
    bool was_atomic = false;
    for (unsigned t = 0; access == PLAIN_READ && t < model.threads; t++)
      was_atomic = was_atomic || cell.atomic_write[t] != 0;
    access_byte((const volatile char *)p + i, cell, access);
    if (was_atomic)
      give_up("a plain read of an atomic object");
  }
}

void plain_at(const volatile void *p, size_t size, Access access, const void *from)
{
  caller = from;
  plain(p, size, access);
}

void atomic(const volatile void *p, size_t size, Access access)
{
  size_t index = cell_index(p);
  for (size_t i = 0; index != SIZE_MAX && i < size; i++)
    access_byte((const volatile char *)p + i, cell_at(index + i), access);
}

void mark_freed(const volatile void *p, size_t size)
{
  for (size_t i = 0; i < size; i++)
    cell_at(cell_index(p) + i).freed = true;
}
