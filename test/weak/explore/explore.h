/* What the parts of the explorer share.

   model.cpp loads the model and its memory, threads.cpp switches between the model's threads, and
   run.cpp executes one run for each pending graph.  In a run the model calls the functions of
   calls.cpp.  Atomic accesses become events (event.cpp) that must be consistent (order.cpp).
   revisit.cpp offers each new write to earlier reads.  races.cpp checks plain accesses.  There is
   one run at a time, so all state is global.  */
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
  unsigned *bound; /* no thread is followed beyond so many events; NULL: no bound */
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
void restore_memory(); /* as weak_setup left it */

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

extern int current; /* -1: weak_setup or weak_end, which are not explored */

void make_stacks();
void make_thread(int t);
void resume(int t);
void to_scheduler();

/* The thread waits until one of its last `reads` reads could find a newer value.  */
[[noreturn]] void stop_for_good(State state, unsigned reads);
[[noreturn]] void give_up_run(); /* the thread exceeds the model's bound */
[[noreturn]] void abort_run();

/* ----------------------------------------------------------------- the exploring */

extern Graph graph;
extern std::vector<Graph> pending;
extern bool aborted;          /* this run's graph is not consistent */
extern bool too_long;         /* a thread of this run exceeds the model's bound */
extern unsigned left_to_replay;
extern bool checking;

extern unsigned long complete, blocked, inconsistent, most_graphs;
extern bool bound_hit;
void explore();

/* -------------------------------------------------------------------------- sites */

extern std::vector<int> weakened; /* by site: the order that replaces the written one, or -1 */
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

/* `size` 0: the state of the futex at that word, which is not in the model's memory.  */
Line &line_of(const volatile void *p, size_t size);
uint64_t value_of(Ref w, const Line &line);

/* The first place in modification order that coherence allows to an event after those that `before`
   covers.  */
unsigned least_position(const Graph &g, const Line &line, const Clock &before);

/* Adds e, the newest event, to the sequentially consistent events; false: not consistent.  */
bool add_sc(Ref e, const Line &line, bool check);
void take_back_sc();
void forget_sc();

/* ----------------------------------------------------------------------- revisits */

/* Each place in modification order that the new write, not yet in a list, can take.  */
std::vector<unsigned> places_of(const Graph &g, const Line &line, Ref a);

/* Lets earlier reads read the new write.  */
void revisit(Ref a);

/* ------------------------------------------------------------------------- events */

/* The order of a read.  A compare-and-swap that fails uses `otherwise`.  */
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
