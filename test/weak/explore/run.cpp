/* Executes one run for each pending graph, and judges how the run ended.  */
#include "explore.h"

#include <cstring>

Graph graph;
std::vector<Graph> pending;
bool aborted, too_long, checking, bound_hit;
unsigned left_to_replay;
unsigned long complete, blocked, inconsistent, most_graphs = 20000000;

static int next_thread()
{
  for (unsigned t = 0; t < model.threads; t++) {
    const Thread &thread = threads[t];
    if (thread.state == READY || (thread.state == WAITS_FOR_EVENT &&
                                  threads[thread.awaited.thread].done > (unsigned)thread.awaited.index))
      return (int)t;
  }
  if (left_to_replay == 0)
    for (unsigned t = 0; t < model.threads; t++)
      if (threads[t].state == WAITS_TO_ADD)
        return (int)t;
  return -1;
}

/* True if the reads that the thread waits with have found the newest values.  */
static bool waits_for_ever(unsigned t)
{
  const std::vector<Event> &events = graph.thread[t];
  for (size_t i = events.size(), n = threads[t].waits_with; n-- > 0;) {
    const Event &e = events[--i];
    const Line &line = *graph.find(e.key);
    if (line.position(e.from) != line.writes.size())
      return false;
  }
  return true;
}

static void bring_all_to_memory()
{
  for (const Line &line : graph.lines) {
    char *p = (char *)(uintptr_t)(line.key & 0xffffffffffffull);
    if (!line.writes.empty() && line.size != 0 && key_of(p) == line.key)
      memcpy(p, &graph[line.writes.back()].value, line.size);
  }
}

static void end_run()
{
  if (aborted) {
    inconsistent++;
    return;
  }
  if (left_to_replay != 0)
    give_up("a run could not be repeated");
  bool all_done = true, stuck = true;
  for (unsigned t = 0; t < model.threads; t++) {
    all_done = all_done && threads[t].state == DONE;
    stuck = stuck && (threads[t].state == DONE || waits_for_ever(t));
  }
  if (all_done) {
    complete++;
    bring_all_to_memory();
    model.end();
    return;
  }
  if (stuck && !too_long)
    report("a thread waits for ever");
  blocked++;
}

static void run()
{
  forget_accesses();
  restore_memory();
  aborted = too_long = false;
  checking = graph.unchecked;
  forget_sc();
  left_to_replay = 0;
  for (unsigned t = 0; t < model.threads; t++) {
    left_to_replay += (unsigned)graph.thread[t].size();
    make_thread((int)t);
    memset(&locals[0].kept[t], 0, sizeof locals[0].kept[t]);
  }
  for (int t; !aborted && (t = next_thread()) >= 0;)
    resume(t);
  end_run();
}

void explore()
{
  pending.push_back(Graph{});
  while (!pending.empty()) {
    graph = std::move(pending.back());
    pending.pop_back();
    run();
    if (complete + blocked + inconsistent > most_graphs) {
      bound_hit = true;
      return;
    }
  }
}
