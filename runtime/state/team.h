/* Team and member: the threads that execute one parallel region.

   team     outlives its region: it is "hot" for the next region of the same size that the same
            member starts, with its workers docked.
   member   one thread's place in one team: number, implicit task, deque, position among the
            worksharing constructs.

   The comment at a group of fields says which thread writes them.  A part (struct member_tasks,
   ...) is written and read by the storey that its comment names, and made and reset by team/.
   "Owner" is the thread that serves as the member.  Fields of different writers are on different
   cache lines.  */
#ifndef GHCOMP_STATE_TEAM_H
#define GHCOMP_STATE_TEAM_H

#include "base/atomics.h"
#include "base/memory.h"
#include "machine/float_modes.h"
#include "places/places.h"
#include "settings/icv.h"
#include "state/task.h"
#include "state/work.h"
#include "wait/waiter.h"

#include <stddef.h>
#include <stdint.h>

struct member;

/* -------------------------------------------------------------------- member */

/* What a team gathers for; see gather.md.  */
enum gathering { GATHER_BARRIER, GATHER_JOIN, GATHERINGS };

struct gather_node {
  CACHE_ALIGNED _Atomic uint32_t arrived[GATHERINGS]; /* of one group */
  _Atomic uint32_t next_mail; /* relay.c: in a cluster, the first member that nobody has called yet */
};

/* Part of task/: a group of members; see search.h.  */
struct search_group {
  _Atomic uint32_t changes;    /* of its searcher; odd: it has one */
  _Atomic uint32_t victim;     /* where the last one has found a task */
};

/* Members of a large team share words with those next to them by number, so that fewer come to the words of the team.
   Clusters of processors that share a cache have 8 as a rule.  */
#ifndef MEMBER_GROUP /* a model has small ones */
#define MEMBER_GROUP 8u
#endif
struct member_group {
  CACHE_ALIGNED _Atomic uint64_t claimed; /* part of work/single.c */
  _Atomic uint32_t released;   /* part of team/barrier.c: the phase of the barrier, as far as the group has been told */
  struct search_group search;
};

/* Part of task/.  */
struct member_tasks {
  unsigned extra_reserve;      /* ready tasks that are enough for the others, above FEWEST_RESERVE */
  unsigned others;             /* other members; the reserve's most, if there are more */
  unsigned extra_for_all;      /* the same, with a task for each other member at least */
  unsigned for_others;         /* so many of the next tasks are for them, because they may be idle */
  unsigned since_change;       /* tasks deferred since the reserve changed, or a theft */
  unsigned since_catch_up;     /* tasks with dependences deferred since it last caught up */
  int64_t stolen_seen;         /* tasks stolen from its deque, at the last look */
  bool youngest_yielded;       /* the youngest task in its deque, just now */
  unsigned ended_before_children; /* tasks, since it went through the line; see lineage.c */
  unsigned line_length;        /* complete ancestors that it found there */
};

/* Part of work/.  */
struct member_work {
  struct slot_position next_slot;
  struct loop loop;
  struct slot *current_slot;   /* the construct that it is in, where later calls need it: single, across.c */
  bool holds_reduction_lock;   /* it has the lock of a reduction, until the compiler says that it is done */
};

/* Part of team/reduce.c.  */
struct member_offer {
  CACHE_ALIGNED _Atomic uint64_t state; /* which reduction << 3 | enum offer_state */
  void *values;                         /* the compiler's list of the member's values; with OFFER_MADE and OFFER_TAKEN */
};

/* Part of abi/kmp/: the body of the region that the member starts, and its arguments; see call.h.  */
enum { CALL_WORDS = 12 };
struct member_call {
  CACHE_ALIGNED void (*body)(const int32_t *gtid, const int32_t *bound, ...);
  unsigned count;
  void **many;                 /* instead of `words`, above CALL_WORDS */
  void *words[CALL_WORDS];
};

struct member {
  /* Constant while the team exists, except when its master resizes it.  */
  CACHE_ALIGNED struct team *team;
  unsigned number;             /* omp_get_thread_num */
  struct thread *thread;       /* the thread that serves */
  /* Part of team/: where each thread of the group was last seen, in the first member of a group.  That thread writes it when it has
     changed, and others read it as long as they wait.  */
  _Atomic int seen_on[MEMBER_GROUP]; /* 1 + the processor; 0: it has not begun a region here, see its dock */

  /* Owner, while it serves.  */
  CACHE_ALIGNED struct task *task; /* the current task */
  uintptr_t deep_stack_below;  /* this address; see stack.h */
  struct member_work work;
  struct member_tasks tasks;
  struct search_group *search_group[GATHERINGS]; /* constant: where it waits for others; NULL: all threads search; search.h */
  /* Threads that complete children change `implicit.from_children`.  The owner does not read this line when it
     creates a task: what a child inherits is behind it.  */
  CACHE_ALIGNED struct partition partition; /* place-partition-var */
  unsigned place;              /* where it is bound; unused without places */
  struct team *hot;            /* the team that this member forked last */
  struct task implicit;

  /* The owner writes, any thread reads in the check for quiescence (barrier.md).  */
  CACHE_ALIGNED _Atomic uint64_t tasks_created;
  _Atomic uint64_t tasks_done;
  _Atomic uint32_t helpers;    /* docked workers that were this member and execute tasks, or ask whether they may; pool.md */
  struct deque deque;

  struct gather_node gather_node; /* of a group and a cluster of members, not of this member */
  struct member_group group;      /* in the first member of a group */
  struct member_offer offer;      /* owner, and the member that takes the values */
  struct member_call call;        /* owner, between regions */
};

_Static_assert(offsetof(struct member, implicit.created) / CACHELINE <
                 offsetof(struct member, implicit.group) / CACHELINE,
               "what children change is on a line before what they inherit");

/* ---------------------------------------------------------- contention group */

/* Threads that share a thread-limit-var; counted only while one is set.  */
struct contention_group {
  _Atomic unsigned threads;
};

/* ---------------------------------------------------------------------- team */

struct barrier {
  CACHE_ALIGNED _Atomic uint32_t arrived; /* arrivals of heads since the reset, mod 2^32 */
  CACHE_ALIGNED _Atomic uint32_t phase;   /* barriers completed */
};

/* What a combined construct prepares for its members.  */
enum preset { PRESET_NONE, PRESET_LOOP, PRESET_SECTIONS };

/* What follows a region.  */
enum at_end {
  AT_END_NOTHING,
  AT_END_CALL,                 /* it belongs to a call that followed a question; see admission/ */
  AT_END_RESUME,               /* the thread goes on with what a handler has interrupted */
};

enum team_state {
  TEAM_IDLE,     /* no region; workers docked; may be stripped by the pool */
  TEAM_BUSY,     /* executes a region */
  TEAM_STRIPPED, /* no region; the pool took its workers */
};

/* Part of team/pool.c; pool lock.  */
struct team_pool {
  struct team *next_listed;
  bool listed;
  bool outermost;              /* its threads' data lasts from region to region (threadprivate) */
};

/* Part of team/: whether members have places, and what these were assigned from.  */
struct team_binding {
  bool assigned;
  unsigned policy;             /* enum proc_bind */
  struct partition parent_partition;
  unsigned parent_place;
};

/* Part of work/slots.c.  */
struct team_slots {
  struct slot_block *oldest;
  _Atomic uint64_t oldest_number;  /* of that block; a hint */
  _Atomic(struct slot_block *) spare;
};

/* Part of task/: ready tasks that are in no deque, ancestors, events.  */
struct team_tasks {
  _Atomic uint32_t queued;                        /* tasks in the priority queues */
  struct priority_queue *queues;                  /* queue_lock; highest first */
  _Atomic uint32_t queue_lock;
  _Atomic uint64_t done_elsewhere;                /* completed by a thread outside */
  _Atomic uint32_t ancestors_left_out;            /* so far, mod 2^32; lineage.c */
  _Atomic uint32_t lineage_lock;
  _Atomic uint32_t events_awaited;                /* by tasks whose bodies have run */
};

/* Part of team/relay.c: the first member that nobody has woken.  */
struct team_relay {
  CACHE_ALIGNED _Atomic uint32_t next_wake;
};

struct team {
  /* The master writes these between regions, and only what has changed, so the lines stay in the
     members' caches.  Members read them after they have acquired their mail.  */
  CACHE_ALIGNED unsigned size; /* omp_get_num_threads */
  unsigned level, active_level;
  unsigned heads;              /* members that come to the barrier's counter: all, or fewer in a
                                  tree (gather.md) */
  void (*fn)(void *);
  void *data;
  struct member *parent;       /* the member that forked it; NULL for an initial team */
  struct icv *icv;             /* what its implicit tasks begin with */
  struct icv own_icv;          /* storage for it, if it differs from the master's */
  struct taskgroup *group;     /* of parallel reduction(task, …) */
  struct slot_position first_slot; /* where the members' constructs begin */
  struct loop preset_loop;
  enum preset preset;
  struct contention_group *contention;
  struct contention_group own_contention; /* initial teams */
  bool carries_modes;          /* the same; `modes` are the master's */
  struct float_modes modes;
  bool detached;               /* see struct region */
  struct member *orphan;       /* in a forked child: the only member that is left; or NULL */
  bool own_tasks_only;         /* each member executes its own: the team has one thread; or it is
                                  detached, and its members help with a Haskell loop and leave at
                                  any time */
  bool within_processors;      /* no more threads than processors */
  bool had_workers;            /* since it was taken, so the pool may have listed it */
  unsigned workers;            /* docked: members[1…workers] have threads */
  struct team_binding binding;
  unsigned capacity;           /* length of members */
  unsigned num_teams, team_num;
  uint32_t stack_share;        /* the most that bodies take of a stack; see stack.h */
  unsigned counted_threads;    /* in wait/running.h, until its end; 0: it is not counted */
  unsigned char at_end;        /* enum at_end */
  struct member *interrupted;  /* initial team of a handler: what its thread is at work on; team/interrupted.c */
  unsigned worker_heads;       /* as `heads`, for the workers: they come to `joined` */
  bool released_by_groups;     /* barrier.md */
  struct team_pool pool;
  struct team *next_unused; /* in a list of reuse.c or interrupted.c */
  struct team_slots slots;

  CACHE_ALIGNED _Atomic uint32_t state; /* enum team_state; pool.c */
  uint32_t region_number;      /* master: the number in `region_state` */
  uint32_t joined_when_all;    /* master: the value that `joined` will have then */

  /* Any member writes.  */
  CACHE_ALIGNED _Atomic bool cancelled;           /* cancel parallel */
  _Atomic uint32_t construct_cancelled;           /* cancel for, sections: 1 + the barrier
                                                     phase in which; 0: never */
  _Atomic bool any_deferred;                      /* task, in this region */
  CACHE_ALIGNED _Atomic uint32_t ready_hint;      /* 0: all deques were empty */
  CACHE_ALIGNED struct crew crew;                 /* what waiting asks of the team */
  struct team_tasks tasks;
  CACHE_ALIGNED _Atomic uint64_t region_state;    /* region number << 32 | threads that fulfill an event */
  struct barrier barrier;
  CACHE_ALIGNED _Atomic uint32_t joined;          /* arrivals of worker heads in all regions, mod
                                                     2^32 */
  struct team_relay relay;

  CACHE_ALIGNED struct member members[];
};

/* An outermost team with a processor for each thread.  */
static inline bool ghcomp_team_has_processors(const struct team *team)
{
  return team->within_processors && team->active_level == 1;
}

#endif
