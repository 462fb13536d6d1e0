/* The data structures of the runtime, in the words of the OpenMP specification.

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
#include "base/cacheline.h"
#include "machine/machine.h"
#include "memory/free_list.h"
#include "places/places.h"
#include "settings/icv.h"
#include "wait/crew.h"
#include "work/range.h"

#include <stddef.h>
#include <stdint.h>

struct team;
struct thread;
struct member;
struct taskgroup;
struct depend_node;
struct depend_table;
struct priority_queue;
struct contention_group;

/* ---------------------------------------------------------------------- task */

enum task_flag {
  TASK_IMPLICIT = 1,
  TASK_FINAL = 2, /* omp_in_final, and children are included tasks */
  TASK_DETACH = 4, /* completes when body and event are both done */
  TASK_COPIED = 8, /* the block holds objects that the body destroys */
  TASK_CHANGES_ICVS = 16, /* it often changes the ICVs that it has, or a task does that waits for
                             it: children that are deferred have copies */
  TASK_HANDED_ON = TASK_FINAL | TASK_CHANGES_ICVS, /* to children */
};

enum { DETACH_BODY_DONE = 1, DETACH_FULFILLED = 2 };

enum { TASK_ROOM = 112 }; /* makes headers four cache lines */

/* What its children have told a task.  Low half: how many are complete, and WAIT_FLAG while
   the task sleeps until they are.  High half: how many have headers that nobody uses any
   more.  The task itself counts those that it created, on its own line; when it is
   complete it adds to the high half what makes it ALL_FREE when the last header is free.
   Who brings it there may reuse the task's header.  */
typedef _Atomic uint64_t child_count;
#define CHILD_COMPLETE ((uint64_t)1)
#define CHILD_FREE ((uint64_t)1 << 32)
#define ALL_FREE ((uint32_t)1 << 31)

/* Headers are never unmapped, because thieves look at a task before they own it.  One
   that is free has no ICVs of its own, payload, node or children's table, and its
   `detach` is 0: whoever set one of them has undone it.

   A task without dependences and with a small payload uses two cache lines.  */
struct task {
  union {
    struct free_item free;
    struct task *next;              /* in a priority queue, or at hand */
  };
  /* Children release, the parent's taskwait acquires.  */
  child_count told;
  union {                           /* owner */
    struct {
      uint32_t created;             /* deferred children */
      uint32_t has_more;            /* true: of the fields at the end */
    };
    uint64_t leaves;                /* both: 0 where the body leaves nothing behind */
  };
  /* Relaxed where thieves read them.  */
  _Atomic(struct task *) parent;    /* NULL for an implicit task's */
  _Atomic(struct thread *) runner;  /* who executes it; set before the body starts */
  struct taskgroup *group;          /* innermost; changes while it runs */
  struct icv *icv;                  /* its data environment; see icv_scope.h */
  void (*fn)(void *);
  void *data;                       /* the payload, or the creator's own block */
  struct team *team;
  struct depend_node *node;         /* as a predecessor; NULL without depend clauses */
  _Atomic unsigned detach;          /* DETACH_* bits */
  int priority;
  unsigned char flags;              /* enum task_flag */
  _Atomic unsigned depth;           /* distance to the implicit task, which has 0; as parent */
  _Alignas(16) unsigned char room[TASK_ROOM]; /* small payloads */
  void *payload;                    /* malloc'ed when the header had no room */
  struct owned_icv *owned_icvs;     /* structs that omp_set_* of this task made */
  struct depend_table *children;    /* dependences among its children; owner */
  _Atomic uint32_t target;          /* of `told`, while it sleeps; owner */
};

struct taskgroup {
  wait_count unfinished;            /* 1 for the owner, 1 for each task in it */
  _Atomic bool cancelled;
  bool workshare;                   /* made for a reduction(task, …) of a construct */
  struct taskgroup *outer;
  uintptr_t *reductions;            /* innermost registered list, or NULL */
  _Atomic(struct waiter *) owner;   /* who waits at its end */
};

/* --------------------------------------------------------------------- deque */

struct deque_array;

/* A member's ready tasks.  See deque.md.  */
struct deque {
  CACHE_ALIGNED _Atomic int64_t top;             /* thieves and owner */
  CACHE_ALIGNED _Atomic int64_t bottom;          /* owner */
  _Atomic(struct deque_array *) array;           /* owner */
  int64_t own_tops;                              /* owner: how often it moved top, as a thief
                                                    does */
};

/* --------------------------------------------------------------- worksharing */

/* All-zero is the state in which the first member finds it: no member has to
   prepare a slot for the others.  */
struct slot {
  CACHE_ALIGNED _Atomic uint64_t next; /* iterations (or sections) handed out */
  _Atomic uint32_t claimed;            /* single: somebody has it */
  _Atomic uint32_t sleepers;           /* members asleep until their turn */
  _Atomic uint64_t turn;               /* ordered: iterations whose turn is over */
  _Atomic(void *) copied;              /* copyprivate: the winner's data */
  _Atomic(struct slot_extra *) extra;  /* doacross, reductions, scratch memory */
};

#define BLOCK_SLOTS 16

/* A member's part of a loop whose chunks may come in any order, in chunk numbers.
   UINT64_MAX: neither its member nor a thief has begun it.  */
struct own_part {
  CACHE_ALIGNED struct range range;
};

struct slot_block {
  struct slot slots[BLOCK_SLOTS];
  _Atomic(struct own_part *) parts; /* of each slot, team->capacity; NULL: none was needed */
  _Atomic bool parts_used;          /* since they were cleared */
  bool plain;                       /* no parts here: it was made far ahead of the slowest member */
  uint32_t number;                  /* in the chain, mod 2^32 */
  CACHE_ALIGNED _Atomic(struct slot_block *) next; /* set once, by compare-and-swap */
  _Atomic uint32_t left;                           /* members that went on to next */
};

/* Where the next construct of a member finds its slot.  */
struct position {
  struct slot_block *block;
  unsigned index;
};

enum loop_kind { LOOP_NONE, LOOP_STATIC, LOOP_DYNAMIC, LOOP_GUIDED, LOOP_OWN };

/* A loop in terms of iteration numbers 0…count-1; see schedule.c.  */
struct loop {
  enum loop_kind kind;
  bool ordered;
  bool pipelined;      /* iterations wait for earlier ones: doacross */
  bool exhausted_adds; /* handing out by plain addition cannot overflow */
  uint64_t count, chunk;
  uint64_t begin, end, step;  /* as the compiler gave them, mod 2^64 */
  uint64_t sections;          /* sections: how many */
  uint64_t trip;              /* static: chunks this member has had */
  uint64_t first, last;       /* its current chunk: iterations [first, last) */
  struct own_part *parts;     /* LOOP_OWN: of all members */
  uint32_t chunks;            /* LOOP_OWN, LOOP_DYNAMIC: of the whole loop; 0: not in 32 bits */
  uint32_t drawn, drawn_end;  /* the same: chunks it has drawn and not had */
  uint32_t drew;              /* LOOP_DYNAMIC: how many the last time, */
  uint64_t drew_at;           /* and when: cycles */
  bool begun;                 /* LOOP_OWN: its own part */
  bool keeps_last, had_last;  /* LOOP_OWN: it has drawn the loop's last chunk, for later */
  struct slot *slot;
};

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
  CACHE_ALIGNED _Atomic uint32_t next_mail, next_wake; /* whom nobody has called yet; relay.h */

  CACHE_ALIGNED struct member members[];
};

/* -------------------------------------------------------------------- thread */

struct thread {
  CACHE_ALIGNED struct waiter waiter; /* the first */
  /* Master writes, worker reads: the mailbox.  */
  _Atomic uint64_t mail;               /* grows by one with each assignment */
  struct member *assignment;           /* valid after load_acquire(&mail), as are these: */
  uint32_t region, goal;               /* the team's */
  int master_processor;                /* where the master was */
  _Atomic int kept_off;                /* worker: 1 + processor that its mask lacks for this region; 0: none */
  _Atomic bool keeps;                  /* free worker: it keeps the pool; pool lock */

  /* Owner.  */
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
  uint32_t steal_pause;       /* nanoseconds; 0: it steals at once; see thief.h */
  uint64_t steal_after;       /* cycles */
  uint64_t steal_cost;        /* cycles; an average */
  bool worker;
  uint32_t stack_part;        /* bytes; 0: not known yet; see stack.h */
  uint64_t called;            /* cycles: when C called a Haskell function that has not begun; 0: none */

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

/* The calling thread's descriptor, NULL before it first met the runtime.  */
static inline struct thread *ghcomp_self_or_null(void)
{
  return (struct thread *)ghcomp_waiter_self;
}

/* All descriptors that there ever were.  */
static inline struct thread *ghcomp_thread_counting(struct counters *counters)
{
  return (struct thread *)counters; /* the first of its waiter */
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
  struct thread *self = ghcomp_self_or_null();
  return likely(self != NULL) ? self : ghcomp_thread_meet();
}

#endif
