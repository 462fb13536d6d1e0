/* Thread: an OS thread that has met the runtime: a thread of the program, of a Haskell host, or a
   worker of the pool.  One initial-exec thread-local pointer leads to its descriptor.  Descriptors
   are never unmapped, and are reused after their threads have ended, so a stale pointer can always
   be read.

   `thread->member` is the whole context of a running thread.  A nested region changes this one
   pointer, and the join sets it back.

   A part (struct thread_tasks, ...) is written and read by the storey that its comment names, and
   made and reset by team/.  "Owner" is the thread itself.  */
#ifndef GHCOMP_STATE_THREAD_H
#define GHCOMP_STATE_THREAD_H

#include "base/atomics.h"
#include "base/memory.h"
#include "machine/thread.h"
#include "memory/free_list.h"
#include "state/team.h"
#include "wait/patience.h"
#include "wait/waiter.h"

#include <stddef.h>
#include <stdint.h>

/* Part of team/worker.c: the team that a worker has joined.  */
struct thread_dock {
  struct team *team;          /* the team whose tasks it may help with */
  uint64_t mails_served;      /* so many; compared with `mail.number` */
  struct search_group *search_group; /* at that team's join */
  uint32_t region_number;     /* of the region that it has joined */
  int master_processor;       /* that of the last region's master */
  bool has_slept;             /* in the wait for its last mail */
  _Atomic int seen_on;        /* when it last began to wait for mail: as in struct member */
};

/* Part of team/spread.c.  */
struct thread_spread {
  unsigned suspicions, too_many_in_a_row;
};

/* Part of team/stay_awake.c.  */
struct thread_awake {
  const struct thread *master; /* worker: of its last region, or NULL */
  struct patience patience;    /* it stays awake while that thread computes */
  uint64_t looked;             /* nanoseconds: at that thread's clock, the last time */
  uint64_t computed;           /* what that clock said then */
};

/* Part of team/: what was said in advance of the next region, or league of teams, that the thread
   starts; 0: nothing.  */
struct thread_next {
  unsigned threads;
  unsigned bind;              /* enum proc_bind */
  const int *inner_threads;   /* threads of regions inside it, by level; NULL: nothing was said */
  unsigned inner_levels;      /* as many as there are */
  unsigned teams;
  unsigned thread_limit;
  int strict_severity;        /* what fewer threads are: enum severity of abi/kmp/parallel.c; 0: nothing */
  const char *message;        /* with strict; may be NULL */
};

/* Part of task/.  */
struct thread_tasks {
  struct free_list free_headers;
  struct task *headers_at_hand; /* of tasks that had only a body, as many as were nested; see
                                   at_once.h */
  struct free_list free_nodes; /* of dependences */
  uint32_t steal_pause;       /* nanoseconds; 0: it steals at once; see steal.h */
  uint64_t steal_pause_end;   /* cycles */
  uint64_t steal_cost;        /* cycles; an average */
  bool may_have_been_woken;   /* for a task, and has found none since */
  bool tells_others;          /* when it has found a task: it may have been woken, or is a searcher */
  bool met_others;            /* who were faster, when it last looked for a task */
  bool looks_itself;          /* at the next look, whoever is the searcher; see search.h */
  uint32_t changes_seen;      /* of its group's searcher, when it last was about to sleep */
  unsigned victim;            /* where the next steal begins */
  unsigned losses;            /* how often others were faster, lately; in a team with searchers; see steal.h */
  struct search_group *searches_for; /* it is that group's searcher; NULL: of none */
};

/* Part of team/: what a worker is told of the region that it is called to.  */
struct mail_content {
  uint32_t region_number, joined_when_all; /* the team's */
  int master_processor;
};

/* Part of team/: the master writes, or a worker that has its own mail; the worker reads.  */
struct thread_mail {
  _Atomic uint64_t number;             /* grows by one with each assignment */
  struct member *assignment;           /* valid after an acquire of `number`, as is the
                                          content */
  struct mail_content content;
};

/* Part of admission/: what followed its last question, and its turn; see turns.md.  */
enum turn_state {
  TURN_NONE,
  TURN_WAITS,                          /* in the queue of `of` */
  /* From here on it has the turn of `of`.  */
  TURN_HELD,                           /* no region of the call runs */
  TURN_RUNS,                           /* one runs */
};
struct library;
struct site;

struct thread_turn {
  /* Changed under the lock of turns.  */
  _Atomic unsigned state;              /* enum turn_state */
  unsigned uses;                       /* regions that have begun with the turn */
  struct library *of;
  struct site *at;                     /* that asked for it */
  struct thread *next;                 /* in the queue */

  /* Owner.  */
  bool size_promised;                  /* of its next region, because it asked */
  bool looks;                          /* when the call's first region begins, it looks whether the thread has spun */
  const void *answered_body;           /* of the region that last followed a question: the regions of this
                                          body have exactly as many threads as it was told */
  struct site *site;                   /* that asked */
  struct library *in;                  /* whose region it is in */
  unsigned regions;                    /* that have followed the last question */
  uint64_t asked, began, ended;        /* cycles: the last question, the last region */
  uint64_t computed;                   /* nanoseconds, when it asked */
};

struct thread {
  /* Owner.  Fields that each region and each task needs come first, where short instructions reach
     them.  */
  CACHE_ALIGNED struct member *member; /* current context */
  struct thread_dock dock;
  unsigned place_bound;       /* 1 + place the OS thread is bound to; 0: none */
  uint64_t displayed_hash;    /* a summary of the last line for display-affinity-var */
  unsigned capability;        /* 1 + the Capability that it belongs to; 0: none */
  bool is_between_regions;    /* worker: it looks after the pool.  The team that it has served may be
                                 another master's by now */
  bool has_processors;        /* worker: the last region's team had a processor for each thread; see
                                 parking.h */
  struct thread_spread spread;
  struct thread_awake awake;
  struct patience in_team;    /* part of team/stay_in_team.c */
  struct patience in_order;   /* part of work/slot_wait.h */
  unsigned own_number;        /* different from that of every other descriptor; the first has 0 */
  unsigned global_number;     /* the same, but in a task for a device: see team/helper_number.h */
  struct thread_next next_region;
  CACHE_ALIGNED struct thread_tasks tasks;
  bool is_worker;
  uint64_t life;              /* of this use of the descriptor; never 0 */
  uint64_t owner;             /* free worker: the life of the only thread whose teams it may join; 0: of any.  The
                                 pool's lock */
  uintptr_t stack_lowest;     /* of the thread's own stack, which it may have left for another one; see stack.h */
  size_t stack_size;          /* bytes; 0: not known yet */
  uint64_t haskell_called_at; /* cycles: when C called a Haskell function that has not begun yet; 0:
                                 none */

  CACHE_ALIGNED struct waiter waiter;
  struct thread_mail mail;             /* on the line of `waiter.park` */
  _Atomic bool keeps_pool;             /* free worker: it is the keeper of the pool; pool lock */

  CACHE_ALIGNED _Atomic int kernel_thread; /* its number in the system; written before it has a region; 0: no OS thread */
  struct thread_turn turn;

  struct thread *next;                 /* in a list of pool.c, whose lock guards it, or of reuse.c */
  struct team *initial_team;           /* its own team of one */
  struct team *spare_teams;            /* of one; owner; team/interrupted.c */
  unsigned number_in_pool;             /* worker: the number in its name, see worker_name.c; 0:
                                          none */
  uint64_t starter_signals;            /* worker: that were blocked in the thread that started it */
  char starter_name[GHCOMP_THREAD_NAME]; /* worker: the name of the thread that started it */
};

_Static_assert(offsetof(struct thread, mail.number) / CACHELINE == offsetof(struct thread, waiter.park) / CACHELINE,
               "who sends mail has fetched the line that says whether its reader sleeps");

/* Sets the calling thread's descriptor; NULL: a thread that has not met the runtime.  */
static inline void ghcomp_self_becomes(struct thread *self)
{
  ghcomp_self_pointer = self;
  ghcomp_waiter_self = self != NULL ? &self->waiter : NULL;
  ghcomp_self_number = 0; /* that of the only member of its own team */
}

/* The calling thread goes on as this member.  */
static inline void ghcomp_self_serves(struct thread *self, struct member *member)
{
  self->member = member;
  ghcomp_self_number = member->number;
}

static inline struct thread *ghcomp_thread_of(struct waiter *waiter)
{
  return (struct thread *)((char *)waiter - offsetof(struct thread, waiter));
}

/* Walks over all descriptors that there ever were.  */
static inline struct thread *ghcomp_thread_counting(struct counters *counters)
{
  return counters != NULL ? ghcomp_thread_of((struct waiter *)counters) : NULL; /* its first */
}

static inline struct thread *ghcomp_thread_first(void)
{
  return ghcomp_thread_counting(ghcomp_stats_first());
}

static inline struct thread *ghcomp_thread_next(const struct thread *thread)
{
  return ghcomp_thread_counting(thread->waiter.counters.next);
}

#endif
