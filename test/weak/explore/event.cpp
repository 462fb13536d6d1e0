/* Reads and writes of a thread: each replays the thread's next event in the graph, or adds one.  */
#include "explore.h"

/* Returns when it is this thread's turn to replay its next event or to add one.  True: replay.  */
static bool await_turn()
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

static void begin_event(Event &e, const Thread &self)
{
  e.before = self.before;
  e.prefix = self.prefix;
  e.before.count[current] = e.prefix.count[current] = (uint16_t)(self.done + 1);
}

static void end_event(const Event &e)
{
  Thread &self = threads[current];
  self.before = e.before;
  self.prefix = e.prefix;
  self.done++;
}

static void finish_read(Event &e)
{
  if (!e.from.is_first()) {
    const Event &w = graph[e.from];
    e.prefix.join(w.prefix);
    if (e.acquires)
      e.before.join(w.released);
  }
}

static void finish_write(Event &e)
{
  e.released = e.releases ? e.before : Clock{};
  if (e.exclusive) {
    const Event &r = graph.thread[current][threads[current].done - 1];
    if (!r.from.is_first())
      e.released.join(graph[r.from].released);
  }
}

static bool acquires(enum weak_order o)
{
  return o == WEAK_ACQUIRE || o == WEAK_ACQ_REL || o == WEAK_SEQ_CST;
}

bool releases(enum weak_order o)
{
  return o == WEAK_RELEASE || o == WEAK_ACQ_REL || o == WEAK_SEQ_CST;
}

/* Completes a read that follows the thread's last event: it reads from e.from.  */
static void set_read(Event &e, const Line &line, const ReadOrder &order)
{
  e.value = value_of(e.from, line);
  enum weak_order o = order.conditional && e.value != order.wanted ? order.otherwise : order.order;
  e.acquires = acquires(o);
  e.sc = o == WEAK_SEQ_CST;
  e.exclusive = false;
  begin_event(e, threads[current]);
  finish_read(e);
}

static void add_read(Event event, Line &line, const ReadOrder &order)
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

static void put_in_order(Ref self, Line &line, unsigned place)
{
  line.writes.insert(line.writes.begin() + place, self);
}

static void add_write(Event event, Line &line)
{
  Thread &thread = threads[current];
  std::vector<Event> &events = graph.thread[current];
  Ref self{(int16_t)current, (int16_t)events.size()};
  event.stamp = graph.next_stamp++;
  begin_event(event, thread);
  finish_write(event);
  events.push_back(event);
  std::vector<unsigned> places;
  for (unsigned p : places_of(graph, line, self)) {
    if (p < line.writes.size() && event.exclusive && graph[line.writes[p]].exclusive &&
        graph.thread[line.writes[p].thread][(size_t)line.writes[p].index - 1].from == line.at(p))
      continue; /* another read-modify-write read the same */
    bool fine = true;
    if (event.sc) {
      put_in_order(self, line, p);
      fine = add_sc(self, line, true);
      take_back_sc();
      line.writes.erase(line.writes.begin() + p);
    }
    if (fine)
      places.push_back(p);
  }
  /* The last place is explored first.  */
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

static void check_place(Ref self, const Event &e, const Line &line)
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
