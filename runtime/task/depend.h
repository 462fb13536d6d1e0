/* A task, or a waiter, in the graph of dependences.

   What is concurrent is one list per predecessor: the thread that registers a node
   adds it to the lists of its predecessors while other threads complete those.  A list
   is pushed to by compare-and-swap and closed by one swap; a push on a closed list
   fails, and then the predecessor is complete.

   Life: made; ordered behind predecessors; registered, from when on it may be ready,
   executed and complete at any moment; complete; dropped by the task and by all tables
   that name it, and then reused.  Invariant: `waiting` is the number of predecessors
   that are not complete, and REGISTERING more while the thread that made it still adds
   some; and one more for a waiter, whose wait ends at 1.  So an edge need not hold its
   successor, which cannot go before the edge is counted.  */
#ifndef GHCOMP_TASK_DEPEND_H
#define GHCOMP_TASK_DEPEND_H

#include "state/task.h"

struct depend_edge {
  struct depend_edge *next;
  struct depend_node *successor;
};

struct depend_node {
  CACHE_ALIGNED struct free_item free;
  _Atomic uint32_t references;              /* tables, the task */
  wait_count waiting;
  _Atomic(struct depend_edge *) successors; /* or CLOSED */
  struct task *task;                        /* NULL: somebody waits for it: */
  struct waiter *waiter;
  struct depend_edge edge;                  /* behind its first predecessor */
  unsigned predecessors;                    /* so far; the thread that registers it */
};

/* For a task, or (NULL) for the calling thread, which will wait.  */
struct depend_node *ghcomp_depend_node_make(struct thread *self, struct task *task);

/* Orders `node`, which is being registered, behind `before`.  */
void ghcomp_depend_node_order(struct depend_node *before, struct depend_node *node);

/* All its predecessors are named.  True: none is left.  A task's node must not be
   touched after false.  */
bool ghcomp_depend_node_registered(struct depend_node *node);

bool ghcomp_depend_node_is_complete(struct depend_node *node);

/* A table names it; `own`: it is being registered by this thread.  */
void ghcomp_depend_node_hold(struct depend_node *node, bool own);
void ghcomp_depend_node_drop(struct depend_node *node);

/* The task is complete: its successors lose a predecessor, and `put` gets those that
   have lost the last.  */
void ghcomp_depend_complete(struct thread *self, struct depend_node *node,
                            void (*put)(struct thread *, struct task *));

/* Nodes that the ending thread kept for reuse go back.  */
void ghcomp_depend_drop_nodes(struct thread *thread);

/* ------------------------------------------------------- tables of addresses */

/* Dependences among sibling tasks.  Spec: 5.2, 15.9.5.  */

/* Enters the new task into its parent's table and behind its predecessors.
   True: it has none left and is ready.  False: the last predecessor to
   complete makes it ready.
   Called by: the parent's thread.  `depend` is the compiler's array.  */
bool ghcomp_depend_register(struct thread *self, struct task *task, void **depend);

/* The calling thread as one that waits for the tasks that the array names: it waits
   until the node's `waiting` is 1, and then drops the node.  NULL: there are none.  */
struct depend_node *ghcomp_depend_predecessors(struct thread *self, void **depend);

/* The parent ends: nobody else can name its children.  */
void ghcomp_depend_drop_table(struct depend_table *table);

#endif
