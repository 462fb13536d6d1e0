/* Task, taskgroup and deque.  The comment at a field says which thread writes it.  "Owner" is the
   thread that executes the task, or serves as the member that has the deque.  */
#ifndef GHCOMP_STATE_TASK_H
#define GHCOMP_STATE_TASK_H

#include "base/memory.h"
#include "memory/free_list.h"
#include "settings/icv.h"
#include "wait/waiter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct team;
struct thread;
struct depend_node;
struct depend_table;
struct priority_queue;
struct combined;
struct taskloop;

/* ---------------------------------------------------------------------- task */

enum task_flag {
  TASK_IMPLICIT = 1,
  TASK_FINAL = 2, /* omp_in_final, and children are included tasks */
  TASK_DETACH = 4, /* complete when its body has run and its event is fulfilled */
  TASK_ALWAYS_CALLED = 8, /* even if it is cancelled: the block holds objects that fn destroys */
  TASK_CHANGES_ICVS = 16, /* it often changes its ICVs, or the task that waits for it does: deferred
                             children have copies */
  TASK_INHERITED = TASK_FINAL | TASK_CHANGES_ICVS, /* by children */
  TASK_IN_PARTS = 32, /* its body may return before its end, and is then called again; see made.h */
  TASK_GOES_ON = 64, /* the part that runs, or ran, is not the last */
  TASK_YIELDED = 128, /* and others run before the next */
  TASK_RANGE = 256, /* tasks of a taskloop; see ranges.h */
};

/* Of a detached task.  TAKEN: a thread is about to fulfill the event.  Above the flags stands which of the header's events it is:
   a task that is cancelled before its body begins is complete, and leaves the header with the next number, so that whoever still
   has the old event does nothing with it.  See event.h.  */
enum { DETACH_BODY_DONE = 1, DETACH_FULFILLED = 2, DETACH_TAKEN = 4, DETACH_FLAGS = 7, DETACH_NUMBER = 1 << 16 };

enum { SMALL_PAYLOAD = 112 }; /* so that headers have four cache lines */

/* What the children have told a task.  Low half: how many are complete, and WAIT_FLAG while the
   task sleeps until they are.  High half: how many of their headers are free.  When the task is
   complete, it adds ALL_FREE - created to the high half.  The thread that makes the half ALL_FREE
   may reuse the task's header.  See children.md.  */
typedef _Atomic uint64_t child_count;
#define CHILD_COMPLETE ((uint64_t)1)
#define CHILD_FREE ((uint64_t)1 << 32)
#define ALL_FREE ((uint32_t)1 << 31)

/* Headers are never unmapped, because thieves look at a task before they own it.  A free header has
   no ICVs of its own, no payload, node or table, and its `from_children` and the flags in `detach` are 0.

   A task without children and dependences, and with a small payload, uses the first two cache lines.
   Those of a parent are its creator's while it creates, because what children tell it is on the last
   line.  */
struct task {
  union {
    struct free_item free;
    struct task *next;              /* in a priority queue, or at hand */
  };
  union {                           /* owner */
    struct {
      uint32_t created;             /* deferred children */
      uint32_t has_rare_fields;     /* true: some of the rare ones are set */
    };
    uint64_t left_behind;           /* by the body: both; 0: nothing */
  };
  /* Relaxed where thieves read them.  */
  _Atomic(struct task *) parent;    /* NULL for an implicit task's */
  _Atomic(struct thread *) runner;  /* the thread that executes it; set before the body starts */
  struct taskgroup *group;          /* innermost; changes while it runs */
  struct icv *icv;                  /* its data environment; see lineage.h */
  void (*fn)(void *);               /* NULL: cancelled before it began */
  void *data;                       /* the payload, or the creator's own block */
  struct team *team;
  struct depend_node *node;         /* as a predecessor; NULL without depend clauses */
  struct depend_table *child_dependences; /* among its children; owner; a rare field */
  _Atomic uint32_t detach;          /* DETACH_* */
  int priority;
  unsigned short flags;             /* enum task_flag */
  _Atomic unsigned depth;           /* distance to the implicit task, which has 0; as parent */
  _Alignas(16) unsigned char small_payload[SMALL_PAYLOAD];
  /* Written by the children.  They release, the task's taskwait acquires.  */
  child_count from_children;
  _Atomic uint32_t awaited_children; /* how many are to be complete, while it sleeps; owner */
  void *payload;                    /* allocated if `small_payload` is too small; a rare field */
  struct owned_icv *owned_icvs;     /* structs that omp_set_* of this task made; a rare field */
};

struct taskgroup {
  wait_count unfinished;            /* 1 for the owner, 1 for each task in it */
  _Atomic bool cancelled;
  bool workshare;                   /* of a construct with reduction(task, …) */
  struct taskgroup *outer;
  struct task *opener;
  uintptr_t *reductions;            /* innermost registered list, or NULL */
  struct combined *combined;        /* reductions that the runtime combines, or NULL */
  struct taskloop *loops;           /* that outlive their construct, or NULL; see taskloop.c */
  _Atomic(struct waiter *) waiter;  /* the thread that waits at its end */
};

/* --------------------------------------------------------------------- deque */

struct deque_array;

/* A member's ready tasks.  See deque.md.  */
struct deque {
  CACHE_ALIGNED _Atomic uint64_t top;            /* thieves and owner; its low half is a position */
  CACHE_ALIGNED _Atomic int64_t bottom;          /* owner */
  _Atomic(struct deque_array *) array;           /* owner */
  /* The owner's alone, on a line that thieves do not read.  */
  CACHE_ALIGNED int64_t top_seen;                /* top at the owner's last look; it only grows */
  int64_t own_takes_at_top;                      /* the owner moved top so often, as a thief does */
  bool batch_possible;                           /* a thief may have seen many, and may be about to take several */
};

#endif
