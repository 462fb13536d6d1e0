/* Explores every execution of a model that RC11 allows, but for those in which a read and a
   write cause each other (load buffering).  See README.md for the method and its limits.

   usage: explore MODEL.so [--weaken SITE=ORDER] [--sites FILE] [--most GRAPHS] [--covered]
   ORDER: relaxed, acquire, release, acq_rel.  Exit status 0: no fault; 1: a fault, which is
   printed; 2: could not tell.  */
#include "graph.h"
#include "weak.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <link.h>
#include <map>
#include <set>
#include <string>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace {

/* ------------------------------------------------------------ the model's memory */

enum { ARENA = 1 << 20, MOST_DATA = 1 << 20, MOST_LOCALS = 4 };

struct Model {
  unsigned threads;
  void (*setup)();
  void (*body)(unsigned);
  void (*end)();
  unsigned *bound; /* events of a thread beyond which it is not followed; NULL: none */
  char *data = nullptr; /* the writable segment */
  size_t data_size = 0;
} model;

char *arena;                           /* one part for each thread, and one for setup */
size_t arena_used[MOST_THREADS + 1];
std::vector<char> saved_data, saved_arena; /* after setup */
size_t saved_used;

struct Local { char *variable; size_t size; char kept[MOST_THREADS][16]; };
Local locals[MOST_LOCALS];
int local_count;

/* Who accessed a byte, for the race check.  */
struct Cell {
  uint32_t run;
  bool freed;
  uint8_t writer;             /* the last plain write; MOST_THREADS: none */
  uint16_t version;           /* plain writes so far: each begins a new location */
  uint16_t written;           /* when: how many events the thread had done */
  uint16_t read[MOST_THREADS], atomic_read[MOST_THREADS], atomic_write[MOST_THREADS];
};
Cell *cells;
uint32_t run_number;

/* ------------------------------------------------------------------- the threads */

enum State { READY, WAITS_FOR_EVENT, WAITS_TO_ADD, BLOCKED, DONE };

struct Thread {
  char *stack;
  State state;
  Ref awaited;
  unsigned done; /* events */
  unsigned waits_with;
  Clock before, prefix;
} threads[MOST_THREADS];
enum { STACK = 1 << 17 };

int current = -1; /* -1: setup or end, where nothing is explored */

/* ----------------------------------------------------------------- the exploring */

Graph graph;
std::vector<Graph> pending;
bool aborted;          /* this run's graph is not consistent */
bool too_long;         /* a thread of this run goes on beyond the model's bound */
unsigned left_to_replay;
bool checking;

std::vector<Ref> sc_events; /* the sequentially consistent events of this run, as it did them */

unsigned long complete, blocked, inconsistent, most_graphs = 20000000;
bool bound_hit;
std::vector<int> weakened; /* by site: -1, or the order in force */
std::vector<std::string> site_names;
std::set<unsigned> covered;
std::map<std::string, unsigned long> outcomes;

/* ------------------------------------------------------------------------ report */

void print_graph()
{
  static const char *kinds[] = {"read ", "write"};
  std::map<uint64_t, int> names;
  for (const Line &line : graph.lines)
    names.insert({line.key, (int)names.size()});
  for (unsigned t = 0; t < model.threads; t++) {
    printf("thread %u%s\n", t, threads[t].state == BLOCKED ? " (waits for ever)" : "");
    for (unsigned i = 0; i < graph.thread[t].size(); i++) {
      const Event &e = graph.thread[t][i];
      printf("  %u.%-3u %s%s L%-3d %-12llx ", t, i, kinds[e.write], e.exclusive ? "*" : " ",
             names[e.key], (unsigned long long)e.value);
      if (!e.write && e.from.is_first())
        printf("from the start ");
      else if (!e.write)
        printf("from %d.%-3d     ", e.from.thread, e.from.index);
      else
        printf("               ");
      puts(e.site < site_names.size() ? site_names[e.site].c_str() : "");
    }
  }
}

[[noreturn]] void report(const std::string &what)
{
  printf("FAULT %s (after %lu executions)\n", what.c_str(), complete + blocked);
  print_graph();
  fflush(stdout);
  _exit(1);
}

[[noreturn]] void give_up(const char *what)
{
  printf("CANNOT TELL: %s\n", what);
  fflush(stdout);
  _exit(2);
}

/* --------------------------------------------------------------------- switching */

void keep_locals(int t)
{
  for (int i = 0; i < local_count; i++)
    memcpy(locals[i].kept[t], locals[i].variable, locals[i].size);
}

void give_locals(int t)
{
  for (int i = 0; i < local_count; i++)
    memcpy(locals[i].variable, locals[i].kept[t], locals[i].size);
}

#if defined(__x86_64__)
/* Saves the registers that a call keeps, and changes stacks.  */
extern "C" void weak_switch(void **from, void *to);
__asm__(".text\n.globl weak_switch\nweak_switch:\n"
        "push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp\nret\n");
void *scheduler_stack, *thread_stack[MOST_THREADS];
#else
ucontext_t scheduler, context[MOST_THREADS];
#endif

void to_scheduler()
{
  int t = current;
#if defined(__x86_64__)
  weak_switch(&thread_stack[t], scheduler_stack);
#else
  swapcontext(&context[t], &scheduler);
#endif
}

void thread_main()
{
  model.body((unsigned)current);
  threads[current].state = DONE;
  to_scheduler();
  abort();
}

void make_thread(int t)
{
  Thread &thread = threads[t];
  thread.state = READY;
  thread.done = 0;
  thread.before = thread.prefix = Clock{};
#if defined(__x86_64__)
  void **top = (void **)(thread.stack + STACK);
  *--top = nullptr;
  *--top = (void *)thread_main;
  for (int i = 0; i < 6; i++)
    *--top = nullptr;
  thread_stack[t] = top;
#else
  getcontext(&context[t]);
  context[t].uc_stack = {.ss_sp = thread.stack, .ss_flags = 0, .ss_size = STACK};
  context[t].uc_link = nullptr;
  makecontext(&context[t], thread_main, 0);
#endif
}

void resume(int t)
{
  current = t;
  threads[t].state = READY;
  give_locals(t);
#if defined(__x86_64__)
  weak_switch(&scheduler_stack, thread_stack[t]);
#else
  swapcontext(&scheduler, &context[t]);
#endif
  keep_locals(t);
  current = -1;
}

/* `reads`: so many of its last events are what it waits with.  */
[[noreturn]] void stop_for_good(State state, unsigned reads)
{
  threads[current].state = state;
  threads[current].waits_with = reads;
  to_scheduler();
  abort();
}

/* Goes on for longer than the model asks for.  */
[[noreturn]] void give_up_run()
{
  too_long = true;
  stop_for_good(BLOCKED, 0);
}

[[noreturn]] void abort_run()
{
  aborted = true;
  stop_for_good(BLOCKED, 0);
}

/* -------------------------------------------------------------------- race check */

size_t cell_index(const volatile void *p)
{
  const char *a = (const char *)p;
  if (a >= arena && a < arena + (MOST_THREADS + 1) * (size_t)ARENA)
    return (size_t)(a - arena);
  if (a >= model.data && a < model.data + model.data_size)
    return (MOST_THREADS + 1) * (size_t)ARENA + (size_t)(a - model.data);
  return SIZE_MAX; /* a stack, or the checker's own */
}

bool is_local(const volatile void *p)
{
  for (int i = 0; i < local_count; i++)
    if ((char *)p >= locals[i].variable && (char *)p < locals[i].variable + locals[i].size)
      return true;
  return false;
}

Cell &cell_at(size_t index)
{
  Cell &cell = cells[index];
  if (cell.run != run_number) {
    memset((void *)&cell, 0, sizeof cell);
    cell.run = run_number;
    cell.writer = MOST_THREADS;
  }
  return cell;
}

enum Access { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE };

/* Was an access when its thread had done `when` - 1 events before this one?  */
bool is_ordered(unsigned thread, uint16_t when)
{
  return when == 0 || (int)thread == current || threads[current].before.count[thread] >= when;
}

const void *caller; /* of the last plain access */

[[noreturn]] void race(const volatile void *p, const char *what, unsigned other)
{
  Dl_info info = {};
  dladdr(caller, &info);
  char text[300];
  snprintf(text, sizeof text, "data race: %s of thread %d with thread %u, %p, near %s+%#lx", what, current, other,
           (const void *)p, info.dli_sname ? info.dli_sname : "?",
           (unsigned long)((const char *)caller - (const char *)info.dli_fbase));
  report(text);
}

void access_byte(const volatile void *p, Cell &cell, Access access)
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

uint64_t value_of(Ref w, const Line &line)
{
  return w.is_first() ? line.first : graph[w].value;
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

/* ------------------------------------------------------------------- consistency */

/* `size` 0: the futex state beside a word, which is no memory of the model's.  */
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

/* The first place in modification order that coherence leaves to an event which comes
   after what `before` covers.  */
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

/* RC11's scb for two sequentially consistent events of which a was done earlier.  */
bool sc_before(Ref a, Ref b)
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

/* By modification order: a's place is earlier than that of b, a write.  */
bool sc_by_order(const Line &line, Ref a, Ref b)
{
  const Event &ea = graph[a], &eb = graph[b];
  if (!eb.write || a == b)
    return false;
  unsigned pa = line.position(ea.write ? a : ea.from), pb = line.position(b);
  return pa < pb;
}

/* The i-th sequentially consistent event has to come before the k-th.  */
bool sc_leads(size_t i, size_t k)
{
  Ref a = sc_events[i], b = sc_events[k];
  uint64_t key = graph[a].key;
  return (i < k && sc_before(a, b)) ||
         (key == graph[b].key && sc_by_order(*graph.find(key), a, b));
}

/* Does a way lead from the last event back to it?  */
bool sc_cycle()
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

/* Adds e, done just now; it may be a candidate that is not in the line's lists of reads.
   Happens-before leads nowhere from it, so a cycle needs the modification order.  */
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

/* ----------------------------------------------------------------------- revisits */

/* TruSt's condition, which makes each graph be visited once: what a revisit deletes was
   added as it would be if it came last.  */
bool is_maximally_added(const Graph &g, Ref e, Ref a, const Clock &prefix)
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

/* How many events of a thread stay when r is to read from a.  */
unsigned kept_of(const Graph &g, unsigned t, uint32_t stamp, const Clock &prefix)
{
  unsigned kept = prefix.count[t];
  while (kept < g.thread[t].size() && g.thread[t][kept].stamp <= stamp)
    kept++;
  return kept;
}

void keep_only(Graph &g, const unsigned *kept)
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

/* Each place that modification order can give to the new write, which is in no list yet.  */
template <class F> void for_each_place(const Graph &g, const Line &line, Ref a, F f)
{
  const Event &e = g[a];
  if (e.exclusive) {
    f(line.position(g.thread[a.thread][(size_t)a.index - 1].from));
    return;
  }
  Clock before = e.before;
  before.count[a.thread]--;
  for (unsigned p = least_position(g, line, before); p <= line.writes.size(); p++) {
    bool splits = false; /* a read-modify-write from what it read */
    if (p < line.writes.size()) {
      Ref next = line.writes[p];
      splits = g[next].exclusive &&
               g.thread[next.thread][(size_t)next.index - 1].from == line.at(p);
    }
    if (!splits)
      f(p);
  }
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
    for_each_place(next, *next.find(key), a, [&](unsigned p) {
      pending.push_back(next);
      std::vector<Ref> &writes = pending.back().find(key)->writes;
      writes.insert(writes.begin() + p, a);
    });
  }
}

/* ------------------------------------------------------------------ doing an event */

enum weak_order order_of(unsigned site, enum weak_order order)
{
  return site < weakened.size() && weakened[site] >= 0 ? (enum weak_order)weakened[site] : order;
}

/* Returns when it is this thread's turn to replay its next event or to add one.  True: replay. */
bool await_turn()
{
  Thread &self = threads[current];
  if (model.bound != nullptr && self.done >= *model.bound)
    give_up_run();
  if (self.done >= MOST_EVENTS)
    report("a thread does not come to an end");
  std::vector<Event> &events = graph.thread[current];
  if (self.done < events.size()) {
    Ref from = events[self.done].from;
    if (!events[self.done].write && !from.is_first() &&
        threads[from.thread].done <= (unsigned)from.index) {
      self.state = WAITS_FOR_EVENT;
      self.awaited = from;
      to_scheduler();
    }
    left_to_replay--;
    return true;
  }
  while (left_to_replay != 0) {
    self.state = WAITS_TO_ADD;
    to_scheduler();
  }
  return false;
}

void begin_event(Event &e, const Thread &self)
{
  e.before = self.before;
  e.prefix = self.prefix;
  e.before.count[current] = e.prefix.count[current] = (uint16_t)(self.done + 1);
}

void end_event(const Event &e)
{
  Thread &self = threads[current];
  self.before = e.before;
  self.prefix = e.prefix;
  self.done++;
}

void finish_read(Event &e)
{
  if (!e.from.is_first()) {
    const Event &w = graph[e.from];
    e.prefix.join(w.prefix);
    if (e.acquires)
      e.before.join(w.released);
  }
}

void finish_write(Event &e)
{
  e.released = e.releases ? e.before : Clock{};
  if (e.exclusive) {
    const Event &r = graph.thread[current][threads[current].done - 1];
    if (!r.from.is_first())
      e.released.join(graph[r.from].released);
  }
}

/* The order of a read; a compare-and-swap has another where it finds something else.  */
struct ReadOrder {
  enum weak_order order;
  bool conditional = false;
  uint64_t wanted = 0;
  enum weak_order otherwise = WEAK_RELAXED;
};

bool acquires(enum weak_order o)
{
  return o == WEAK_ACQUIRE || o == WEAK_ACQ_REL || o == WEAK_SEQ_CST;
}

bool releases(enum weak_order o)
{
  return o == WEAK_RELEASE || o == WEAK_ACQ_REL || o == WEAK_SEQ_CST;
}

/* The event, at the end of what the thread has done, reads from e.from.  */
void set_read(Event &e, const Line &line, const ReadOrder &order)
{
  e.value = value_of(e.from, line);
  enum weak_order o = order.conditional && e.value != order.wanted ? order.otherwise : order.order;
  e.acquires = acquires(o);
  e.sc = o == WEAK_SEQ_CST;
  e.exclusive = false;
  begin_event(e, threads[current]);
  finish_read(e);
}

void add_read(Event event, Line &line, const ReadOrder &order)
{
  std::vector<Event> &events = graph.thread[current];
  Ref self{(int16_t)current, (int16_t)events.size()};
  event.stamp = graph.next_stamp++;
  events.push_back(event);
  Event &e = events.back();
  unsigned least = least_position(graph, line, threads[current].before);
  std::vector<unsigned> places;
  for (unsigned p = (unsigned)line.writes.size() + 1; p-- > least;) {
    e.from = line.at(p);
    set_read(e, line, order);
    bool fine = true;
    if (e.sc) {
      fine = add_sc(self, line, true);
      take_back_sc();
    }
    if (fine)
      places.push_back(p);
  }
  line.reads.push_back(self);
  if (places.empty())
    give_up("a read has nothing to read from");
  for (size_t i = places.size(); i-- > 1;) {
    e.from = line.at(places[i]);
    pending.push_back(graph);
    pending.back().unchecked = false;
  }
  e.from = line.at(places[0]);
  set_read(e, line, order);
  if (e.sc)
    add_sc(self, line, false);
}

uint64_t do_read(unsigned site, const volatile void *p, size_t size, const ReadOrder &order)
{
  Thread &self = threads[current];
  bool replay = await_turn();
  if (size != 0)
    atomic(p, size, ATOMIC_READ);
  Line &line = line_of(p, size);
  std::vector<Event> &events = graph.thread[current];
  if (!replay) {
    Event e;
    e.key = line.key;
    e.site = (uint16_t)site;
    add_read(e, line, order);
  } else {
    Event &e = events[self.done];
    if (e.key != line.key || e.write)
      give_up("a run went another way when it was repeated");
    set_read(e, line, order);
    Ref me{(int16_t)current, (int16_t)self.done};
    if (checking && line.position(e.from) < least_position(graph, line, self.before))
      abort_run();
    if (e.sc && !add_sc(me, line, checking))
      abort_run();
  }
  const Event &e = events[self.done];
  end_event(e);
  return e.value;
}

void put_in_order(Ref self, Line &line, unsigned place)
{
  line.writes.insert(line.writes.begin() + place, self);
}

void add_write(Event event, Line &line)
{
  Thread &thread = threads[current];
  std::vector<Event> &events = graph.thread[current];
  Ref self{(int16_t)current, (int16_t)events.size()};
  event.stamp = graph.next_stamp++;
  begin_event(event, thread);
  finish_write(event);
  events.push_back(event);
  std::vector<unsigned> places;
  for_each_place(graph, line, self, [&](unsigned p) {
    if (p < line.writes.size() && event.exclusive && graph[line.writes[p]].exclusive &&
        graph.thread[line.writes[p].thread][(size_t)line.writes[p].index - 1].from == line.at(p))
      return; /* another read-modify-write read the same */
    bool fine = true;
    if (event.sc) {
      put_in_order(self, line, p);
      fine = add_sc(self, line, true);
      take_back_sc();
      line.writes.erase(line.writes.begin() + p);
    }
    if (fine)
      places.push_back(p);
  });
  /* Later places first.  */
  size_t chosen = places.size();
  for (size_t i = 0; i + 1 < chosen; i++) {
    pending.push_back(graph);
    put_in_order(self, *pending.back().find(line.key), places[i]);
    pending.back().unchecked = false;
  }
  uint64_t key = line.key;
  revisit(self);
  if (places.empty())
    abort_run();
  Line &again = *graph.find(key);
  put_in_order(self, again, places.back());
  if (event.sc)
    add_sc(self, again, false);
}

void check_place(Ref self, const Event &e, const Line &line)
{
  unsigned place = line.position(self);
  Clock before = threads[current].before;
  if (place <= least_position(graph, line, before))
    abort_run();
  if (e.exclusive &&
      place != line.position(graph.thread[current][(size_t)self.index - 1].from) + 1)
    abort_run();
}

void do_write(unsigned site, volatile void *p, size_t size, uint64_t value, bool releases, bool sc,
              bool exclusive)
{
  Thread &self = threads[current];
  bool replay = await_turn();
  if (size != 0)
    atomic(p, size, ATOMIC_WRITE);
  Line &line = line_of(p, size);
  std::vector<Event> &events = graph.thread[current];
  if (!replay) {
    Event e;
    e.key = line.key;
    e.site = (uint16_t)site;
    e.value = value;
    e.write = true;
    e.exclusive = exclusive;
    e.releases = releases;
    e.sc = sc;
    add_write(e, line);
  } else {
    Event &e = events[self.done];
    if (e.key != line.key || !e.write || e.value != value)
      give_up("a run went another way when it was repeated");
    begin_event(e, self);
    finish_write(e);
    Ref me{(int16_t)current, (int16_t)self.done};
    if (checking)
      check_place(me, e, line);
    if (e.sc && !add_sc(me, line, checking))
      abort_run();
  }
  end_event(events[self.done]);
}

uint64_t mask(uint64_t value, size_t size)
{
  return size == 8 ? value : value & ((1ull << size * 8) - 1);
}

uint64_t memory_value(const volatile void *p, size_t size)
{
  uint64_t value = 0;
  memcpy(&value, (const void *)p, size);
  return value;
}

uint64_t changed(uint64_t old, enum weak_change change, uint64_t operand)
{
  switch (change) {
  case WEAK_SWAP: return operand;
  case WEAK_ADD: return old + operand;
  case WEAK_SUB: return old - operand;
  case WEAK_OR: return old | operand;
  default: return old & operand;
  }
}

void cover(unsigned site)
{
  if (site != 0)
    covered.insert(site);
}

/* A thread that reads the same again and again, at the same place, spins.  */
void block_if_spinning()
{
  enum { AGAIN = 4 };
  const std::vector<Event> &events = graph.thread[current];
  unsigned n = threads[current].done;
  if (n < AGAIN)
    return;
  const Event &last = events[n - 1];
  for (unsigned i = n - AGAIN; i < n; i++) {
    const Event &e = events[i];
    if (e.write || e.site == 0 || e.site != last.site || e.key != last.key || !(e.from == last.from))
      return;
  }
  stop_for_good(BLOCKED, 1);
}

/* -------------------------------------------------------------------- the futex */

/* Its state is a location of its own: a queue of threads, four bits each, and in the high
   half who was woken.  The kernel's lock orders its changes.  */
uint64_t futex_read(volatile void *word)
{
  return do_read(0, word, 0, {WEAK_ACQUIRE});
}

void futex_write(volatile void *word, uint64_t value)
{
  graph.thread[current][threads[current].done - 1].exclusive = true;
  do_write(0, word, 0, value, true, false, true);
}

uint64_t woken_bit(int t)
{
  return 1ull << (32 + t);
}

uint64_t without(uint64_t state, int t)
{
  uint64_t queue = 0;
  int n = 0;
  for (uint64_t q = (uint32_t)state; q != 0; q >>= 4)
    if ((q & 15) != (uint64_t)t + 1)
      queue |= (q & 15) << 4 * n++;
  return (state >> 32 << 32 | queue) & ~woken_bit(t);
}

uint64_t with(uint64_t state, int t)
{
  uint64_t clean = without(state, t);
  int n = 0;
  for (uint64_t q = (uint32_t)clean; q != 0; q >>= 4)
    n++;
  return clean | ((uint64_t)t + 1) << 4 * n;
}

uint64_t woken_first(uint64_t state, int count)
{
  while (count-- > 0 && (uint32_t)state != 0) {
    int t = (int)(state & 15) - 1;
    state = without(state, t) | woken_bit(t);
  }
  return state;
}

/* False: the word has another value, and the thread does not sleep.  */
bool enqueue(volatile void *word, uint32_t expected)
{
  int me = current;
  futex_write(word, with(futex_read(word), me));
  if ((uint32_t)do_read(0, word, 4, {WEAK_RELAXED}) == expected)
    return true;
  futex_write(word, without(futex_read(word), me));
  return false;
}

/* -------------------------------------------------------------------------- runs */

void restore_memory()
{
  memcpy(model.data, saved_data.data(), saved_data.size());
  memcpy(arena, saved_arena.data(), saved_used);
  for (unsigned t = 0; t < MOST_THREADS; t++) {
    memset(arena + (t + 1) * (size_t)ARENA, 0, arena_used[t + 1]);
    arena_used[t + 1] = 0;
  }
  arena_used[0] = saved_used;
}

int next_thread()
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

/* Nothing newer is left that its last reads could find.  */
bool waits_for_ever(unsigned t)
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

void bring_all_to_memory()
{
  for (const Line &line : graph.lines) {
    char *p = (char *)(uintptr_t)(line.key & 0xffffffffffffull);
    if (!line.writes.empty() && line.size != 0 && key_of(p) == line.key)
      memcpy(p, &graph[line.writes.back()].value, line.size);
  }
}

void end_run()
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

void run()
{
  run_number++;
  restore_memory();
  aborted = too_long = false;
  checking = graph.unchecked;
  sc_events.clear();
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

/* ---------------------------------------------------------------------- beginning */

int find_data(dl_phdr_info *info, size_t, void *wanted)
{
  if (strcmp(info->dlpi_name, (const char *)wanted) != 0)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_W) != 0) {
      model.data = (char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      model.data_size = info->dlpi_phdr[i].p_memsz;
    }
  /* Relocated addresses are read-only by now and never change.  */
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
      char *begin = (char *)info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
      char *end = (char *)(((uintptr_t)begin + info->dlpi_phdr[i].p_memsz + 4095) & ~4095ul);
      if (end > model.data) {
        model.data_size -= (size_t)(end - model.data);
        model.data = end;
      }
    }
  return 1;
}

void load(const char *path)
{
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    give_up(dlerror());
  model.threads = *(unsigned *)dlsym(handle, "weak_threads");
  model.setup = (void (*)())dlsym(handle, "weak_setup");
  model.body = (void (*)(unsigned))dlsym(handle, "weak_thread");
  model.end = (void (*)())dlsym(handle, "weak_end");
  model.bound = (unsigned *)dlsym(handle, "weak_bound");
  dl_iterate_phdr(find_data, (void *)path);
  if (model.data == nullptr || model.data_size > MOST_DATA || model.threads > MOST_THREADS)
    give_up("the model's data was not found");
}

void *map(size_t size)
{
  void *p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    give_up("no memory");
  return p;
}

void set_up()
{
  arena = (char *)map((MOST_THREADS + 1) * (size_t)ARENA);
  cells = (Cell *)map(((MOST_THREADS + 1) * (size_t)ARENA + MOST_DATA) * sizeof(Cell));
  for (Thread &thread : threads)
    thread.stack = (char *)map(STACK);
  model.setup();
  for (int i = 0; i < local_count; i++)
    for (int t = 0; t < MOST_THREADS; t++)
      memset(locals[i].kept[t], 0, sizeof locals[i].kept[t]);
  saved_used = arena_used[0];
  saved_data.assign(model.data, model.data + model.data_size);
  saved_arena.assign(arena, arena + saved_used);
}

/* One line for each site: number, a tab, its name.  */
void read_sites(const char *path)
{
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    size_t tab = line.find('\t');
    size_t n = std::stoul(line.substr(0, tab));
    if (site_names.size() <= n)
      site_names.resize(n + 1);
    site_names[n] = line.substr(tab + 1);
  }
}

void weaken(const std::string &what)
{
  static const char *names[] = {"relaxed", "acquire", "release", "acq_rel"};
  size_t equals = what.find('='), site = std::stoul(what);
  weakened.resize(site + 1, -1);
  for (int o = 0; o < 4; o++)
    if (what.substr(equals + 1) == names[o])
      weakened[site] = o;
}

} // namespace

/* ------------------------------------------------------------- what the model calls */

extern "C" {

uint64_t weak_load(unsigned site, const volatile void *p, size_t size, enum weak_order order)
{
  if (current < 0)
    return memory_value(p, size);
  cover(site);
  order = order_of(site, order);
  uint64_t value = do_read(site, p, size, {order});
  block_if_spinning();
  return value;
}

void weak_store(unsigned site, volatile void *p, size_t size, uint64_t value, enum weak_order order)
{
  value = mask(value, size);
  if (current < 0) {
    memcpy((void *)p, &value, size);
    return;
  }
  cover(site);
  order = order_of(site, order);
  do_write(site, p, size, value, releases(order), order == WEAK_SEQ_CST, false);
}

uint64_t weak_update(unsigned site, volatile void *p, size_t size, enum weak_change change,
                     uint64_t operand, enum weak_order order)
{
  if (current < 0) {
    uint64_t old = memory_value(p, size), value = changed(old, change, operand);
    memcpy((void *)p, &value, size);
    return old;
  }
  cover(site);
  order = order_of(site, order);
  uint64_t old = do_read(site, p, size, {order});
  graph.thread[current][threads[current].done - 1].exclusive = true;
  do_write(site, p, size, mask(changed(old, change, operand), size), releases(order),
           order == WEAK_SEQ_CST, true);
  return old;
}

bool weak_cas(unsigned site, volatile void *p, size_t size, void *expected, uint64_t value,
              enum weak_order success, enum weak_order failure)
{
  uint64_t wanted = memory_value(expected, size);
  value = mask(value, size);
  if (current < 0) {
    uint64_t old = memory_value(p, size);
    memcpy(old == wanted ? (void *)p : expected, old == wanted ? &value : &old, size);
    return old == wanted;
  }
  cover(site);
  if (order_of(site, success) != success) {
    success = order_of(site, success);
    failure = success == WEAK_RELAXED || success == WEAK_RELEASE ? WEAK_RELAXED : WEAK_ACQUIRE;
  }
  uint64_t old = do_read(site, p, size, {success, true, wanted, failure});
  if (old != wanted) {
    memcpy(expected, &old, size);
    return false;
  }
  graph.thread[current][threads[current].done - 1].exclusive = true;
  do_write(site, p, size, value, releases(success), success == WEAK_SEQ_CST, true);
  return true;
}

/* What it has read since it wrote is what it waits with.  */
void weak_spin(void)
{
  if (current < 0)
    return;
  const std::vector<Event> &events = graph.thread[current];
  unsigned reads = 0;
  while (reads < threads[current].done && !events[threads[current].done - 1 - reads].write)
    reads++;
  stop_for_good(BLOCKED, reads);
}

int sched_yield(void)
{
  weak_spin();
  return 0;
}

void weak_futex_wait(volatile void *word, uint32_t expected)
{
  if (!enqueue(word, expected))
    return;
  if ((futex_read(word) & woken_bit(current)) == 0)
    stop_for_good(BLOCKED, 1);
}

void weak_futex_wait_for(volatile void *word, uint32_t expected)
{
  if (!enqueue(word, expected))
    return;
  if ((futex_read(word) & woken_bit(current)) == 0)
    give_up_run();
}

void weak_futex_wake(volatile void *word, int count)
{
  if (current >= 0)
    futex_write(word, woken_first(futex_read(word), count));
}

void *weak_alloc(size_t size)
{
  int part = current + 1;
  size_t at = (arena_used[part] + 64 + 63) & ~(size_t)63;
  if (at + size + 64 > ARENA)
    give_up("the model allocates too much");
  arena_used[part] = at + size;
  char *p = arena + (size_t)part * ARENA + at;
  memcpy(p - 16, &size, sizeof size);
  plain(p, size, PLAIN_WRITE);
  return p;
}

void weak_free(void *memory)
{
  if (memory == nullptr || current < 0)
    return;
  size_t size = memory_value((char *)memory - 16, sizeof size);
  plain(memory, size, PLAIN_WRITE);
  for (size_t i = 0; i < size; i++)
    cell_at(cell_index(memory) + i).freed = true;
}

void *weak_memset(void *to, int byte, size_t size)
{
  plain(to, size, PLAIN_WRITE);
  return memset(to, byte, size);
}

void *weak_memcpy(void *to, const void *from, size_t size)
{
  plain(from, size, PLAIN_READ);
  plain(to, size, PLAIN_WRITE);
  return memcpy(to, from, size);
}

void weak_fail(const char *what)
{
  report(what);
}

void weak_outcome(const char *what)
{
  outcomes[what]++;
}

void weak_thread_local(void *variable, size_t size)
{
  if (local_count == MOST_LOCALS || size > sizeof locals[0].kept[0])
    give_up("too many thread-local variables");
  locals[local_count++] = {.variable = (char *)variable, .size = size, .kept = {}};
}

/* What -fsanitize=thread makes the compiler call.  */
#define PLAIN(n)                                                                              \
  void __tsan_read##n(void *p) { plain_at(p, n, PLAIN_READ, __builtin_return_address(0)); }                                   \
  void __tsan_write##n(void *p) { plain_at(p, n, PLAIN_WRITE, __builtin_return_address(0)); }                                 \
  void __tsan_unaligned_read##n(void *p) { plain_at(p, n, PLAIN_READ, __builtin_return_address(0)); }                         \
  void __tsan_unaligned_write##n(void *p) { plain_at(p, n, PLAIN_WRITE, __builtin_return_address(0)); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
void __tsan_read_range(void *p, size_t size) { plain_at(p, size, PLAIN_READ, __builtin_return_address(0)); }
void __tsan_write_range(void *p, size_t size) { plain_at(p, size, PLAIN_WRITE, __builtin_return_address(0)); }
/* A model's own use of atomic objects.  */
#define ATOMIC(bits)                                                                          \
  uint64_t __tsan_atomic##bits##_load(const volatile void *p, int)                            \
  {                                                                                           \
    return weak_load(0, p, bits / 8, WEAK_SEQ_CST);                                           \
  }                                                                                           \
  void __tsan_atomic##bits##_store(volatile void *p, uint##bits##_t value, int)               \
  {                                                                                           \
    weak_store(0, p, bits / 8, value, WEAK_SEQ_CST);                                          \
  }
ATOMIC(8) ATOMIC(16) ATOMIC(32) ATOMIC(64)
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
}

int main(int count, char **words)
{
  bool says_covered = false;
  for (int i = 2; i < count; i++) {
    std::string word = words[i];
    if (word == "--weaken" && i + 1 < count)
      weaken(words[++i]);
    else if (word == "--sites" && i + 1 < count)
      read_sites(words[++i]);
    else if (word == "--most" && i + 1 < count)
      most_graphs = std::stoul(words[++i]);
    else if (word == "--covered")
      says_covered = true;
    else
      give_up("usage: explore MODEL.so [--weaken SITE=ORDER] [--sites FILE] [--most GRAPHS] [--covered]");
  }
  if (count < 2)
    give_up("which model?");
  load(words[1]);
  set_up();
  explore();
  for (const auto &[what, times] : outcomes)
    printf("OUTCOME %s\n", what.c_str());
  for (unsigned site : covered)
    if (says_covered)
      printf("COVERED %u\n", site);
  if (bound_hit)
    give_up("more executions than --most");
  printf("%lu executions, %lu waiting, %lu not consistent\n", complete, blocked, inconsistent);
  return 0;
}
