/* What RC11 requires of a graph: coherence, and the partial order of sequentially consistent events.  */
#include "explore.h"

#include <cstring>

static std::vector<Ref> sc_events; /* the sequentially consistent events of this run, in the order of the run */

uint64_t value_of(Ref w, const Line &line)
{
  return w.is_first() ? line.first : graph[w].value;
}

Line &line_of(const volatile void *p, size_t size)
{
  uint64_t key = size == 0 ? (uint64_t)(uintptr_t)p + 1 : key_of(p);
  Line *line = graph.find(key);
  if (line != nullptr)
    return *line;
  graph.lines.push_back(Line{});
  line = &graph.lines.back();
  line->key = key;
  line->size = size;
  memcpy(&line->first, (const void *)p, size);
  return *line;
}

unsigned least_position(const Graph &g, const Line &line, const Clock &before)
{
  unsigned least = 0;
  for (unsigned p = (unsigned)line.writes.size(); p > 0; p--)
    if (covers(before, line.writes[p - 1])) {
      least = p;
      break;
    }
  for (Ref r : line.reads)
    if (covers(before, r)) {
      unsigned p = line.position(g[r].from);
      least = p > least && p != ~0u ? p : least;
    }
  return least;
}

/* RC11's scb for two sequentially consistent events; a was done first.  */
static bool sc_before(Ref a, Ref b)
{
  const Event &ea = graph[a], &eb = graph[b];
  if (a.thread == b.thread)
    return true;
  if (ea.key == eb.key && covers(eb.before, a))
    return true;
  const std::vector<Event> &ta = graph.thread[a.thread], &tb = graph.thread[b.thread];
  unsigned x = (unsigned)a.index + 1;
  while (x < ta.size() && ta[x].key == ea.key)
    x++;
  int y = b.index - 1;
  while (y >= 0 && tb[(unsigned)y].key == eb.key)
    y--;
  return y >= 0 && x < tb[(unsigned)y].before.count[a.thread];
}

/* True if b is a write whose place in modification order is after that of a.  */
static bool sc_by_order(const Line &line, Ref a, Ref b)
{
  const Event &ea = graph[a], &eb = graph[b];
  if (!eb.write || a == b)
    return false;
  unsigned pa = line.position(ea.write ? a : ea.from), pb = line.position(b);
  return pa < pb;
}

/* The i-th sequentially consistent event must come before the k-th.  */
static bool sc_leads(size_t i, size_t k)
{
  Ref a = sc_events[i], b = sc_events[k];
  uint64_t key = graph[a].key;
  return (i < k && sc_before(a, b)) ||
         (key == graph[b].key && sc_by_order(*graph.find(key), a, b));
}

/* Is the last event on a cycle?  */
static bool sc_cycle()
{
  size_t n = sc_events.size() - 1;
  std::vector<size_t> open{n};
  std::vector<bool> reached(n);
  while (!open.empty()) {
    size_t i = open.back();
    open.pop_back();
    if (i != n && sc_leads(i, n))
      return true;
    for (size_t k = 0; k < n; k++)
      if (!reached[k] && k != i && sc_leads(i, k)) {
        reached[k] = true;
        open.push_back(k);
      }
  }
  return false;
}

/* Adds e, the newest event; as a candidate it may not be in the line's list of reads yet.  It
   happens before no other event, so a cycle through it needs the modification order.  */
bool add_sc(Ref e, const Line &line, bool check)
{
  sc_events.push_back(e);
  if (!check)
    return true;
  for (size_t i = 0; i + 1 < sc_events.size(); i++)
    if (graph[sc_events[i]].key == line.key && sc_by_order(line, e, sc_events[i]))
      return !sc_cycle();
  return true;
}

void take_back_sc()
{
  sc_events.pop_back();
}

void forget_sc()
{
  sc_events.clear();
}
