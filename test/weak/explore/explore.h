/* What the parts of the explorer share.  model.cpp loads the model's memory, threads.cpp has its
   threads, run.cpp does one run for each pending graph.  In a run the model calls calls.cpp, which
   does events (event.cpp, and revisit.cpp for what a new write changes) that are consistent
   (order.cpp), and plain accesses, which races.cpp checks.  One run at a time, so all of it is
   global.  */
#ifndef WEAK_EXPLORE_H
#define WEAK_EXPLORE_H

#include "graph.h"
#include "weak.h"

#include <map>
#include <set>
#include <string>

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
};
extern Model model;

extern char *arena;                           /* one part for each thread, and one for setup */
extern size_t arena_used[MOST_THREADS + 1];

struct Local { char *variable; size_t size; char kept[MOST_THREADS][16]; };
extern Local locals[MOST_LOCALS];
extern int local_count;

void load(const char *path);
void *map(size_t size); /* zeroed */
void set_up();         /* runs the model's weak_setup */
void restore_memory(); /* as it was then */

/* ------------------------------------------------------------------- the threads */

enum State { READY, WAITS_FOR_EVENT, WAITS_TO_ADD, BLOCKED, DONE };

struct Thread {
  char *stack;
  State state;
  Ref awaited;
  unsigned done; /* events */
  unsigned waits_with;
  Clock before, prefix;
};
extern Thread threads[MOST_THREADS];

extern int current; /* -1: setup or end, where nothing is explored */

void make_stacks();
void make_thread(int t);
void resume(int t);
void to_scheduler();

/* `reads`: so many of its last events are what it waits with.  */
[[noreturn]] void stop_for_good(State state, unsigned reads);
[[noreturn]] void give_up_run(); /* goes on for longer than the model asks for */
[[noreturn]] void abort_run();

/* ----------------------------------------------------------------- the exploring */

extern Graph graph;
extern std::vector<Graph> pending;
extern bool aborted;          /* this run's graph is not consistent */
extern bool too_long;         /* a thread of this run goes on beyond the model's bound */
extern unsigned left_to_replay;
extern bool checking;

extern unsigned long complete, blocked, inconsistent, most_graphs;
extern bool bound_hit;
void explore();

/* -------------------------------------------------------------------------- sites */

extern std::vector<int> weakened; /* by site: -1, or the order in force */
extern std::vector<std::string> site_names;
extern std::set<unsigned> covered;

/* ------------------------------------------------------------------------ report */

extern std::map<std::string, unsigned long> outcomes;
[[noreturn]] void report(const std::string &what);
[[noreturn]] void give_up(const char *what);

/* -------------------------------------------------------------------- race check */

enum Access { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE };

void make_cells();
void forget_accesses();
void plain(const volatile void *p, size_t size, Access access);
void plain_at(const volatile void *p, size_t size, Access access, const void *from);
void atomic(const volatile void *p, size_t size, Access access);
void mark_freed(const volatile void *p, size_t size);
uint64_t key_of(const volatile void *p);

/* ------------------------------------------------------------------- consistency */

/* `size` 0: the futex state beside a word, which is no memory of the model's.  */
Line &line_of(const volatile void *p, size_t size);
uint64_t value_of(Ref w, const Line &line);

/* The first place in modification order that coherence leaves to an event which comes
   after what `before` covers.  */
unsigned least_position(const Graph &g, const Line &line, const Clock &before);

/* Adds e, done just now, to the sequentially consistent events; false: not consistent.  */
bool add_sc(Ref e, const Line &line, bool check);
void take_back_sc();
void forget_sc();

/* ----------------------------------------------------------------------- revisits */

/* Each place that modification order can give to the new write, which is in no list yet.  */
std::vector<unsigned> places_of(const Graph &g, const Line &line, Ref a);

/* Lets reads that were there before read the new write.  */
void revisit(Ref a);

/* ------------------------------------------------------------------------- events */

/* The order of a read; a compare-and-swap has another where it finds something else.  */
struct ReadOrder {
  enum weak_order order;
  bool conditional = false;
  uint64_t wanted = 0;
  enum weak_order otherwise = WEAK_RELAXED;
};

uint64_t do_read(unsigned site, const volatile void *p, size_t size, const ReadOrder &order);
void do_write(unsigned site, volatile void *p, size_t size, uint64_t value, bool releases, bool sc,
              bool exclusive);
bool releases(enum weak_order o);

#endif
