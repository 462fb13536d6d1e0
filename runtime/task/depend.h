/* A task, or a waiter, in the graph of dependences.

   See depend.md.  A node is made, ordered behind its predecessors, and registered.  From then on
   its task may be ready, executed and complete at any moment.  When the task and all tables have
   dropped the node, it is reused.  */
#ifndef GHCOMP_TASK_DEPEND_H
#define GHCOMP_TASK_DEPEND_H

#include "state/task.h"

/* Programs of LLVM's compilers may read edges, and the first field of a node
   (__kmpc_task_get_depnode, __kmpc_task_get_successors): these have libomp's layout.  */
struct depend_edge {
  struct depend_node *successor;
  struct depend_edge *next;
};

struct depend_node {
  CACHE_ALIGNED union {
    _Atomic(struct depend_edge *) successors; /* or CLOSED */
    struct free_item free;
  };
  _Atomic uint32_t references;        /* tables, the task */
  wait_count predecessors_left;
  struct task *task;                  /* NULL: a thread waits instead: */
  struct waiter *waiter;
  struct depend_edge edge;            /* to it, from its first predecessor */
  struct depend_node *last_successor; /* ordered behind it */
  unsigned edges_added;
  /* Only the thread that registers nodes of siblings uses the last two.  */
};
_Static_assert(sizeof(struct depend_node) == CACHELINE, "completing a predecessor uses one line");

/* Makes a node for a task; NULL: for the calling thread, which will wait.  */
struct depend_node *ghcomp_depend_node_make(struct thread *self, struct task *task);

/* Orders `node`, which is being registered, behind `before`.  */
void ghcomp_depend_node_order(struct depend_node *before, struct depend_node *node);

/* All predecessors of the node are named.  True: none is left.  False: a task's node must not be
   touched any more.  */
bool ghcomp_depend_node_registered(struct depend_node *node);

bool ghcomp_depend_node_is_complete(struct depend_node *node);

/* The successors that the node has at the moment; NULL: none, or the node is complete.  The list is
   freed when the node's task is complete.  */
struct depend_edge *ghcomp_depend_node_successors(struct depend_node *node);

/* A table names the node.  `own`: the calling thread is registering it.  */
void ghcomp_depend_node_hold(struct depend_node *node, bool own);
void ghcomp_depend_node_drop(struct depend_node *node);

/* The task is complete: each successor loses a predecessor.  Calls `put` for those that have lost
   the last one.  */
void ghcomp_depend_complete(struct thread *self, struct depend_node *node,
                            void (*put)(struct thread *, struct task *));

/* Gives back the nodes that the ending thread kept for reuse.  */
void ghcomp_depend_drop_nodes(struct thread *thread);

/* ------------------------------------------------------- tables of addresses */

/* Dependences among sibling tasks.  Spec: 5.2, 15.9.5.  */

/* Enters the new task into its parent's table and orders it behind its predecessors.  `depend` is
   the compiler's array.  True: no predecessor is left, and the task is ready.  False: the last
   predecessor to complete makes it ready.
   Called by: the parent's thread.  */
bool ghcomp_depend_register(struct thread *self, struct task *task, void **depend);

/* A node for the calling thread, behind the tasks that the array names.  The caller waits until the
   node's `predecessors_left` is 1, and then drops the node.  NULL: there are none.  */
struct depend_node *ghcomp_depend_predecessors(struct thread *self, void **depend);

/* The parent ends, so no further task can name its children.  */
void ghcomp_depend_drop_table(struct depend_table *table);

#endif
