/* Thread, team and member: the data structures that hold those of all storeys together, in the words
   of the OpenMP specification.

   thread   an OS thread that has met the runtime: a program's own, a Haskell
            host's, or a worker of the pool.  Its descriptor is found through
            one initial-exec thread-local pointer, is never unmapped and is
            reused after the thread ended, so a stale pointer is always safe
            to read.
   team     the threads that execute one parallel region.  A team outlives its
            region: the next region of the same size that the same member
            starts finds it "hot", its workers docked at it.
   member   one thread's place in one team: number, implicit task, deque,
            position among the worksharing constructs.  `thread->member` is
            the whole context of a running thread; a nested region changes
            that one pointer and the join puts it back.
   task     implicit (inside a member) or explicit.
   slot     what the members of a team share about one worksharing construct.

   Who writes a field is said at the field or at its group; "owner" is the
   thread that serves as that member.  Members of different writers stand on
   different cache lines.  */
#ifndef GHCOMP_TEAM_TYPES_H
#define GHCOMP_TEAM_TYPES_H

#include "base/atomics.h"
#include "base/memory.h"
#include "machine/machine.h"
#include "memory/free_list.h"
#include "places/places.h"
#include "settings/icv.h"
#include "task/types.h"
#include "wait/waiter.h"
#include "work/types.h"

#include <stddef.h>
#include <stdint.h>

struct member;

/* -------------------------------------------------------------------- member */

/* What a team gathers for; see gather.h.  */
enum gathering { GATHER_BARRIER, GATHER_JOIN, GATHERINGS };

struct gather_node {
  CACHE_ALIGNED _Atomic uint32_t arrived[GATHERINGS]; /* of one group */
};

struct member {
  /* Constant while the team exists, but for resizing by its master.  */
  CACHE_ALIGNED struct team *team;
  unsigned number;             /* omp_get_thread_num */
  struct thread *thread;       /* who serves */

  /* Owner, while it serves.  */
  CACHE_ALIGNED struct task *task; /* the current task */
  uintptr_t deep;              /* stack addresses below are deep; see stack.h */
  struct position at;
  struct loop loop;
  struct slot *single;         /* the single whose data it copies out */
  struct partition partition;  /* place-partition-var */
  unsigned place;              /* where it is bound; unused without places */
  unsigned victim;             /* where the next steal begins */
  unsigned reserve;            /* ready tasks that are enough for the others; 0: FEWEST */
  unsigned calm;               /* tasks deferred since the last change, or theft */
  unsigned piled;              /* tasks with dependences deferred since it last caught up */
  int64_t stolen;              /* from this deque, when it was looked at last */
  unsigned lingering, lineage; /* tasks that ended before their children; see lineage.c */
  struct team *hot;            /* the team that this member forked last */
  struct task implicit;

  /* Owner writes, everybody reads in the quiescence check (barrier.md).  */
  CACHE_ALIGNED _Atomic uint64_t tasks_created;
  _Atomic uint64_t tasks_done;
  struct deque deque;

  struct gather_node node;     /* of a group of members, not of this one */
};

/* ---------------------------------------------------------- contention group */

/* Threads that share a thread-limit-var; counted only while one is set.  */
struct contention_group {
  _Atomic unsigned threads;
};

/* ---------------------------------------------------------------------- team */

struct barrier {
  CACHE_ALIGNED _Atomic uint32_t arrived; /* all heads that came since the reset, mod 2^32 */
  CACHE_ALIGNED _Atomic uint32_t phase;   /* barriers completed */
};

/* What a combined construct prepares for its members.  */
enum preset { PRESET_NONE, PRESET_LOOP, PRESET_SECTIONS };

enum team_state {
  TEAM_IDLE,     /* no region; workers docked; may be stripped by the pool */
  TEAM_BUSY,     /* executes a region */
  TEAM_STRIPPED, /* no region; the pool took its workers */
};

struct team {
  /* Master writes between regions, and only what changed: the lines stay in the
     members' caches.  These read after load_acquire of their mailbox.  */
  CACHE_ALIGNED unsigned size; /* omp_get_num_threads */
  unsigned level, active_level;
  unsigned heads;              /* members that come to the barrier's counter: all, or in a
                                  tree (gather.h) fewer */
  void (*fn)(void *);
  void *data;
  struct member *parent;       /* who forked it; NULL for an initial team */
  struct icv *icv;             /* what its implicit tasks start with */
  struct icv own_icv;          /* storage for it when the master's does not serve */
  struct taskgroup *group;     /* of parallel reduction(task, …) */
  struct position start;       /* where the members' constructs begin */
  struct loop preset_loop;
  enum preset preset;
  struct contention_group *contention;
  struct contention_group own_contention; /* initial teams */
  bool detached;               /* see struct region */
  struct member *orphan;       /* in a forked child: the one that is left of several; or NULL */
  bool alone;                  /* tasks are for nobody else: it has one thread, or is detached, when
                                  each member helps with a loop of Haskell and leaves when it likes */
  bool few;                    /* no more threads than processors */
  _Atomic bool stacked;        /* a worker was on its master's processor; see spread.c */
  bool had_workers;            /* since it was taken: the pool may know it */
  unsigned workers;            /* docked: members[1…workers]->thread are valid */
  unsigned bind;               /* proc_bind of the assignment that members have */
  struct partition assigned_partition; /* and what it was made from */
  unsigned assigned_place;
  bool assigned;
  unsigned capacity;           /* length of members */
  unsigned num_teams, team_num;
  uint32_t stack_share;        /* most of a stack that bodies take; see stack.h */
  unsigned admitted;           /* what its master gives back to admission at its end, or 0 */
  unsigned worker_heads;       /* as heads, of all but the master: they come to `joined` */
  struct team *next_listed;    /* pool lock */
  struct team *next_free;      /* pool lock */
  bool listed;                 /* pool lock */
  struct slot_block *oldest_block; /* see slots.c */
  _Atomic uint32_t oldest_number;  /* of that block; a hint */
  _Atomic(struct slot_block *) spare;

  CACHE_ALIGNED _Atomic uint32_t state; /* enum team_state; pool.c */
  uint32_t region;             /* master: the number in `helpers` */
  uint32_t goal;               /* master: what `joined` is when the region is over */

  /* Any member writes.  */
  CACHE_ALIGNED _Atomic bool cancelled;           /* cancel parallel */
  _Atomic uint32_t construct_cancelled;           /* cancel for, sections: 1 + the barrier
                                                     phase in which; 0: never */
  _Atomic bool tasking;                           /* a task was deferred in this region */
  CACHE_ALIGNED _Atomic uint32_t hint;            /* 0: all deques were seen empty */
  struct crew crew;                               /* what waiting asks of the team */
  _Atomic uint32_t priority_count;                /* tasks in the priority queues */
  struct priority_queue *priority_queues;         /* priority_lock; highest first */
  _Atomic uint32_t priority_lock;
  _Atomic uint64_t tasks_done_elsewhere;          /* completed by a thread outside */
  _Atomic uint32_t adoptions;                     /* ancestors left out so far, mod 2^32; lineage.c */
  _Atomic uint32_t lineage_lock;
  _Atomic uint32_t events;                        /* waited for by tasks whose bodies have run */
  CACHE_ALIGNED _Atomic uint64_t helpers;         /* region number << 32 | docked workers in a task */
  struct barrier barrier;
  CACHE_ALIGNED _Atomic uint32_t joined;          /* heads of workers that finished, in all regions, mod 2^32 */
  CACHE_ALIGNED _Atomic uint32_t next_mail, next_wake; /* whom nobody has called yet; gather.h */

  CACHE_ALIGNED struct member members[];
};

/* -------------------------------------------------------------------- thread */

struct thread {
  /* Owner.  What each region and each task asks for comes first: short instructions reach it.  */
  CACHE_ALIGNED struct member *member; /* current context */
  struct team *docked_at;     /* worker: whose tasks it may help with */
  uint32_t docked_region;
  uint64_t seen;              /* worker: the last mailbox number it served */
  unsigned place_bound;       /* 1 + place the OS thread is bound to; 0: none */
  uint64_t displayed;         /* what display-affinity-var's last line was about */
  unsigned belongs;           /* 1 + Capability it was told it belongs to */
  int beside;                 /* worker: where the last region's master was */
  bool fits;                  /* worker: the last region's team did; see parking.h */
  unsigned suspicions, too_many; /* see spread.c */
  CACHE_ALIGNED struct free_list tasks;     /* headers for reuse */
  struct task *at_hand;       /* those whose tasks had no child and nothing but a body, as many as
                                 were nested; see at_once.h */
  struct free_list nodes;     /* of dependences */
  uint32_t steal_pause;       /* nanoseconds; 0: it steals at once; see steal.h */
  uint64_t steal_after;       /* cycles */
  uint64_t steal_cost;        /* cycles; an average */
  bool worker;
  uint32_t stack_part;        /* bytes; 0: not known yet; see stack.h */
  uint64_t called;            /* cycles: when C called a Haskell function that has not begun; 0: none */

  CACHE_ALIGNED struct waiter waiter;
  /* Master writes, worker reads: the mailbox.  */
  _Atomic uint64_t mail;               /* grows by one with each assignment */
  struct member *assignment;           /* valid after load_acquire(&mail), as are these: */
  uint32_t region, goal;               /* the team's */
  int master_processor;                /* where the master was */
  _Atomic int kept_off;                /* worker: 1 + processor that its mask lacks for this region; 0: none */
  _Atomic bool keeps;                  /* free worker: it keeps the pool; pool lock */

  /* Regions of the outermost level that it starts; see admission.md.  */
  CACHE_ALIGNED uint64_t region_began; /* cycles; 0: none that is counted */
  uint32_t region_took;                /* cycles; an average */
  unsigned untimed;                    /* so many brief ones are not counted */
  unsigned wants;                      /* threads */
  bool wants_exactly;
  bool alone;                          /* its region has no part of what regions have taken; admission's lock */
  bool waited;                         /* for its turn, and has not begun the region yet */
  bool asks;                           /* it waits in a question, not in a region */
  _Atomic unsigned turn;               /* threads that it has; 0: it waits */
  int kernel_thread;                   /* its number in the system; written before it has a region; 0: no OS thread */
  _Atomic int computes;                /* the same, of a worker or while its region is counted; else 0 */
#define ABOUT_TO (-1)                  /* in `computes`: will without anybody's help */
  struct team *begun;                  /* the region that is counted */
  bool asked;                          /* how large its next region will be: it will be that large */
  bool followed;                       /* its last region had the turn of a question */
  unsigned in_vain, plain_questions;   /* questions that no region followed; so many do not count */
  uint64_t told_until;                 /* cycles: not late before; 0: it has not asked since its last region */
  uint64_t told_computed;              /* nanoseconds: late when it has computed so long */
  unsigned told;                       /* threads of that turn; 0: none any longer; admission's lock */
  bool leaves;                         /* told: of a region that is over; admission's lock */
  struct thread *next_waiting;         /* admission's lock */

  struct thread *next;                 /* pool lock: in a free list */
  struct team *initial_team;           /* its own team of one */
  unsigned number_in_pool;             /* worker: in its name, see worker_name.c; 0: it has none */
  char born_as[GHCOMP_THREAD_NAME];    /* worker: the name of the thread that started it */
};

_Static_assert(offsetof(struct thread, mail) / CACHELINE == offsetof(struct thread, waiter.park) / CACHELINE,
               "who sends mail has fetched the line that says whether its reader sleeps");


/* An outermost team with a processor for each thread.  */
static inline bool ghcomp_team_fits(const struct team *team)
{
  return team->few && team->active_level == 1;
}

/* From now on the calling thread is this one; NULL: none that has met the runtime.  */
static inline void ghcomp_self_becomes(struct thread *self)
{
  ghcomp_self_pointer = self;
  ghcomp_waiter_self = self != NULL ? &self->waiter : NULL;
}

static inline struct thread *ghcomp_thread_of(struct waiter *waiter)
{
  return (struct thread *)((char *)waiter - offsetof(struct thread, waiter));
}

/* All descriptors that there ever were.  */
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

struct thread *ghcomp_thread_meet(void); /* thread.c */

static inline struct thread *ghcomp_self(void)
{
  struct thread *self = ghcomp_self_pointer;
  return likely(self != NULL) ? self : ghcomp_thread_meet();
}

#endif
