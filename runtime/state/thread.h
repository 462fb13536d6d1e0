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
#include "wait/waiter.h"

#include <stddef.h>
#include <stdint.h>

/* Part of team/worker.c: the team that a worker has joined.  */
struct thread_dock {
  struct team *team;          /* the team whose tasks it may help with */
  uint64_t mails_served;      /* so many; compared with `mail.number` */
  uint32_t region_number;     /* of the region that it has joined */
};

/* Part of team/spread.c.  */
struct thread_spread {
  int master_processor;       /* worker: that of the last region's master */
  unsigned suspicions, too_many_in_a_row;
};

/* Part of team/stay_awake.c.  */
struct thread_awake {
  const struct thread *master; /* worker: of its last region, or NULL */
  unsigned char patience;     /* not 0: it stays awake while that thread computes */
  unsigned char waits_without; /* so many of the next waits teach nothing: others needed the processor */
  unsigned char long_yields, short_yields; /* that others needed it, lately; in a row, that nobody did */
  uint64_t since;             /* nanoseconds: in this wait, the first look at the master's clock; 0: there was none */
  uint64_t looked;            /* the last one */
  uint64_t computed;          /* what that clock said then */
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
};

/* Part of team/: the master writes, the worker reads.  */
struct thread_mail {
  _Atomic uint64_t number;             /* grows by one with each assignment */
  struct member *assignment;           /* valid after an acquire of `number`, as are the next
                                          fields */
  uint32_t region_number, joined_when_all; /* the team's */
  short master_processor;
  unsigned char slice;                 /* the master's: all members have the same */
  _Atomic int kept_off;                /* 1 + processor that its mask lacks for this region; 0: none */
};

/* A place in the program that asked how many threads a region would have, and no region followed.
   Owner.  */
struct question {
  uint32_t caller;           /* where omp_get_max_threads returns to, the low bits; 0: none */
  uint16_t without_region;   /* questions in a row that no region followed */
  uint16_t without_turn;     /* how many of the next ones take none */
};
enum { QUESTIONS = 4 };

/* Part of admission/: regions of the outermost level that it starts; see admission.md.  */
struct thread_turn {
  uint64_t region_began;               /* cycles; 0: it is in no counted region */
  uint32_t region_took;                /* cycles; an average */
  bool is_brief;                       /* its regions are; see payoff.c */
  bool looks_at_this;                  /* when its counted region ends, it asks what it has computed inside */
  bool looks_at_next;                  /* when its next region begins, it asks what it has computed between */
  unsigned untimed_left;               /* how many of the next regions without a turn are not timed */
  unsigned char looks_in;              /* so many timed regions later it looks at one */
  unsigned char looks_after;           /* the same, after that look */
  uint64_t computed;                   /* nanoseconds, when such a region began or ended */
  unsigned wants;                      /* threads */
  bool wants_exactly;
  bool beside_haskell;                 /* its region is not in `taken`; admission's lock */
  uint64_t worker_processors;          /* bits: where the workers of its last region were, if its turn passes on */
  short kept_off;                      /* 1 + processor that its mask lacks until its turn begins; 0: none; written before
                                          `threads` */
  bool just_waited;                    /* for its turn; its region of several threads has not begun yet */
  bool in_question;                    /* it waits in a question, not in a region */
  _Atomic unsigned threads;            /* threads of its turn; 0: it waits */
  struct team *counted_team;           /* whose region is counted */
  bool size_promised;                  /* of its next region, because it asked */
  bool asked_alone;                    /* its last question took no turn, because there was no other master */
  const void *answered_body;           /* of the region that last followed a question: the regions of this
                                          body have exactly as many threads as it was told */
  bool region_was_promised;            /* its last region had the turn of a question */
  struct question questions[QUESTIONS];
  uint32_t promised_at;                /* the caller of the question that took the turn */
  unsigned char questions_forgotten;   /* so far */
  unsigned answer_regions, answer_expected; /* that have followed its last answer; the last time from there */
  uint64_t answer_sleeps;              /* 1 + how often the thread had slept when the answer's last region ended; 0:
                                          not known */
  bool answer_slept;                   /* between regions of the answer it has slept */
  bool without_turns;                  /* its last question came from a place whose threads sleep between their
                                          regions, so none of its regions takes a turn */
  bool answer_goes_on;                 /* its kept turn is for more regions of that answer */
  uint64_t answer_began;               /* cycles: when the first of these regions began; 0: it has asked since */
  uint64_t answer_end_computed;        /* nanoseconds: the answer ends when it has computed this long; 0: not known */
  uint64_t promise_end;                /* cycles: the same as kept_until at first; 0: it keeps no
                                          turn */
  uint64_t left;                       /* cycles: when its last promised region ended; 0: it has asked
                                          since */
  uint64_t series_end;                 /* cycles: no region of this turn begins later, except the
                                          first */
  uint64_t ended;                      /* cycles: when its last counted region ended that followed no question; 0: another
                                          one has begun */
  unsigned char prompt;                /* how often another one began at once, lately; see series.c */
  unsigned char slice_left;            /* so many regions later it has its usual slice again; see slice.c */
  uint32_t usual_slice;                /* nanoseconds of the system's time slice that the OS thread had before it got a
                                          short one; 0: it did not get one */
  uint32_t gap;                        /* cycles: from a promised region to the next question, an
                                          average; 0: not known */
  bool series_goes_on;                 /* its kept turn is for its next region, too */
  unsigned kept_threads;               /* threads of a kept turn; 0: none; this and those named kept_: admission's
                                          lock */
  bool kept_leaves;                    /* the kept turn is for the release of a lock, and not for a region */
  bool has_kept;                       /* a turn for a region */
  bool is_late;                        /* it has lost the turn for a region, which has not begun yet; admission's
                                          lock */
  unsigned kept_excuses;               /* see promise.c */
  uint64_t kept_until;                 /* cycles: before this it is not late */
  uint64_t kept_until_computed;        /* nanoseconds: it is late when it has computed this long */
  bool kept_after_region;              /* the turn that it keeps, or kept last, is that of a region that
                                          is over; the owner writes it with admission's lock */
  struct thread *next_waiting;         /* admission's lock */
};

/* Part of admission/blocked.c: whether its counted region blocks.  Owner.  */
struct thread_blocked {
  bool is_measured;           /* this one */
  unsigned char measured_in;  /* so many counted regions later one is */
  int64_t sleeps;             /* for others than the runtime, until the measured region began */
  uint64_t computed;          /* nanoseconds, the same */
};

struct thread {
  /* Owner.  Fields that each region and each task needs come first, where short instructions reach
     them.  */
  CACHE_ALIGNED struct member *member; /* current context */
  struct thread_dock dock;
  unsigned place_bound;       /* 1 + place the OS thread is bound to; 0: none */
  uint64_t displayed_hash;    /* a summary of the last line for display-affinity-var */
  unsigned capability;        /* 1 + the Capability that it belongs to; 0: none */
  bool is_between_regions;    /* worker: it looks after the pool or the turns.  The team that it has
                                 served may be another master's by now */
  bool has_processors;        /* worker: the last region's team had a processor for each thread; see
                                 parking.h */
  struct thread_spread spread;
  struct thread_awake awake;
  unsigned own_number;        /* different from that of every other descriptor; the first has 0 */
  unsigned global_number;     /* the same, but in a task for a device: see team/helper_number.h */
  struct thread_next next_region;
  CACHE_ALIGNED struct thread_tasks tasks;
  bool is_worker;
  uint32_t stack_part;        /* bytes; 0: not known yet; see stack.h */
  uint64_t haskell_called_at; /* cycles: when C called a Haskell function that has not begun yet; 0:
                                 none */

  CACHE_ALIGNED struct waiter waiter;
  struct thread_mail mail;             /* on the line of `waiter.park` */
  _Atomic bool keeps_pool;             /* free worker: it is the keeper of the pool; pool lock */

  CACHE_ALIGNED _Atomic int kernel_thread; /* its number in the system; written before it has a region; 0: no OS thread */
  _Atomic int computing_thread;        /* the same number, for a worker, or while its region is
                                          counted; else 0 */
#define ABOUT_TO_COMPUTE (-1)          /* in `computing_thread`: without help from another thread */
  struct thread_turn turn;
  struct thread_blocked blocked;

  struct thread *next;                 /* in a list of pool.c or reuse.c; that list's lock */
  struct team *initial_team;           /* its own team of one */
  unsigned number_in_pool;             /* worker: the number in its name, see worker_name.c; 0:
                                          none */
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
