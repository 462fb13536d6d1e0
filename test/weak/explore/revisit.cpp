/* Offers a new write to earlier reads, by TruSt's method.  */
#include "explore.h"

/* TruSt's condition: a revisit deletes only events that were added as they would be if they came
   last.  So each graph is visited once.  */
static bool is_maximally_added(const Graph &g, Ref e, Ref a, const Clock &prefix)
{
  uint32_t stamp = g[e].stamp;
  auto is_previous = [&](Ref x) {
    return x.is_first() || (!(x == a) && (g[x].stamp <= stamp || covers(prefix, x)));
  };
  const Line *line = nullptr;
  for (const Line &l : g.lines)
    if (l.key == g[e].key)
      line = &l;
  if (g[e].write)
    for (Ref r : line->reads)
      if (g[r].from == e && is_previous(r))
        return false;
  Ref w = g[e].write ? e : g[e].from;
  if (!is_previous(w))
    return false;
  for (unsigned p = line->position(w); p < line->writes.size(); p++)
    if (is_previous(line->writes[p]))
      return false;
  return true;
}

/* How many events of thread t stay.  `stamp`: of the read; `prefix`: of the new write.  */
static unsigned kept_of(const Graph &g, unsigned t, uint32_t stamp, const Clock &prefix)
{
  unsigned kept = prefix.count[t];
  while (kept < g.thread[t].size() && g.thread[t][kept].stamp <= stamp)
    kept++;
  return kept;
}

static void keep_only(Graph &g, const unsigned *kept)
{
  for (unsigned t = 0; t < model.threads; t++)
    g.thread[t].resize(kept[t]);
  auto filter = [&](std::vector<Ref> &refs) {
    size_t n = 0;
    for (Ref r : refs)
      if ((unsigned)r.index < kept[r.thread])
        refs[n++] = r;
    refs.resize(n);
  };
  for (Line &line : g.lines) {
    filter(line.writes);
    filter(line.reads);
  }
}

std::vector<unsigned> places_of(const Graph &g, const Line &line, Ref a)
{
  const Event &e = g[a];
  if (e.exclusive)
    return {line.position(g.thread[a.thread][(size_t)a.index - 1].from)};
  std::vector<unsigned> places;
  Clock before = e.before;
  before.count[a.thread]--;
  for (unsigned p = least_position(g, line, before); p <= line.writes.size(); p++) {
    bool splits = false; /* would separate a read-modify-write from what it read */
    if (p < line.writes.size()) {
      Ref next = line.writes[p];
      splits = g[next].exclusive &&
               g.thread[next.thread][(size_t)next.index - 1].from == line.at(p);
    }
    if (!splits)
      places.push_back(p);
  }
  return places;
}

void revisit(Ref a)
{
  const Clock prefix = graph[a].prefix;
  const uint64_t key = graph[a].key;
  const std::vector<Ref> reads = graph.find(key)->reads;
  for (Ref r : reads) {
    if (covers(prefix, r) || !is_maximally_added(graph, r, a, prefix))
      continue;
    unsigned kept[MOST_THREADS] = {};
    bool maximal = true;
    for (unsigned t = 0; t < model.threads && maximal; t++) {
      kept[t] = kept_of(graph, t, graph[r].stamp, prefix);
      for (unsigned i = kept[t]; i < graph.thread[t].size() && maximal; i++)
        maximal = is_maximally_added(graph, Ref{(int16_t)t, (int16_t)i}, a, prefix);
    }
    if (!maximal)
      continue;
    Graph next = graph;
    keep_only(next, kept);
    next[r].from = a;
    next.unchecked = true;
    for (unsigned p : places_of(next, *next.find(key), a)) {
      pending.push_back(next);
      std::vector<Ref> &writes = pending.back().find(key)->writes;
      writes.insert(writes.begin() + p, a);
    }
  }
}
