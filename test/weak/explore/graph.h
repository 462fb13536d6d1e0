/* An execution graph: what each thread did, from which write each read reads, and the
   order of the writes to each location.  */
#ifndef WEAK_GRAPH_H
#define WEAK_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <vector>

enum { MOST_THREADS = 4, MOST_EVENTS = 600 };

/* A number of events for each thread.  */
struct Clock {
  uint16_t count[MOST_THREADS] = {};
  void join(const Clock &other)
  {
    for (int t = 0; t < MOST_THREADS; t++)
      if (count[t] < other.count[t])
        count[t] = other.count[t];
  }
};

/* An event, or (thread -1) the first value of a location.  */
struct Ref {
  int16_t thread = -1, index = 0;
  bool is_first() const { return thread < 0; }
  bool operator==(const Ref &other) const { return thread == other.thread && index == other.index; }
};

inline bool covers(const Clock &clock, Ref e)
{
  return e.is_first() || e.index < clock.count[e.thread];
}

struct Event {
  uint64_t key = 0;      /* the location, with its version in the high bits */
  uint64_t value = 0;
  Ref from;              /* the write that a read reads from */
  uint32_t stamp = 0;    /* events are added in this order */
  uint16_t site = 0;
  bool write = false;
  bool exclusive = false; /* of a read-modify-write that wrote */
  bool acquires = false, releases = false, sc = false;
  /* Each run computes these anew.  */
  Clock before;          /* events that happen before it, itself included */
  Clock prefix;          /* program order and reads-from before it, itself included */
  Clock released;        /* what happens before an acquiring read of it */
};

struct Line {
  uint64_t key = 0;
  size_t size = 0;          /* in bytes */
  uint64_t first = 0;       /* the initial value */
  std::vector<Ref> writes;  /* in modification order */
  std::vector<Ref> reads;

  /* 0: the first value; p: after p writes.  */
  unsigned position(Ref w) const
  {
    if (w.is_first())
      return 0;
    for (unsigned p = 0; p < writes.size(); p++)
      if (writes[p] == w)
        return p + 1;
    return ~0u;
  }
  Ref at(unsigned position) const { return position == 0 ? Ref{} : writes[position - 1]; }
};

struct Graph {
  std::vector<Event> thread[MOST_THREADS];
  std::vector<Line> lines;
  uint32_t next_stamp = 0;
  bool unchecked = false; /* made by a revisit; its next run finds out whether it is consistent */

  Event &operator[](Ref e) { return thread[e.thread][e.index]; }
  const Event &operator[](Ref e) const { return thread[e.thread][e.index]; }
  Line *find(uint64_t key)
  {
    for (Line &line : lines)
      if (line.key == key)
        return &line;
    return nullptr;
  }
};

#endif
