#include "task/depend.h"

#include "base/memory.h"
#include "state/thread.h"
#include "wait/parking.h"

#define REGISTERING ((uint32_t)1 << 30)

static struct depend_edge closed_mark;
#define CLOSED (&closed_mark)

static struct free_depot nodes = {.size = sizeof(struct depend_node)};

struct depend_node *ghcomp_depend_node_make(struct thread *self, struct task *task)
{
  struct depend_node *node = ghcomp_free_list_take(&self->tasks.free_nodes, &nodes);
  store_relaxed(&node->references, 1);
  store_relaxed(&node->predecessors_left, REGISTERING + (task == NULL));
  store_relaxed(&node->successors, NULL);
  node->task = task;
  node->waiter = task == NULL ? &self->waiter : NULL;
  node->last_successor = NULL;
  node->edges_added = 0;
  return node;
}

void ghcomp_depend_node_hold(struct depend_node *node, bool own)
{
  if (own)
    store_relaxed(&node->references, load_relaxed(&node->references) + 1);
  else
    add_relaxed(&node->references, 1);
}

static void reuse(struct depend_node *node)
{
  struct thread *self = ghcomp_self_pointer;
  if (likely(self != NULL)) {
    ghcomp_free_list_put(&self->tasks.free_nodes, &nodes, &node->free);
    return;
  }
  struct free_list none = {NULL, 0}; /* a thread that is ending */
  ghcomp_free_list_put(&none, &nodes, &node->free);
  ghcomp_free_list_keep(&none, &nodes, 0);
}

void ghcomp_depend_node_drop(struct depend_node *node)
{
  /* The thread that drops the last reference is the only one that uses the node.  */
  if (node != NULL &&
      (load_acquire(&node->references) == 1 || sub_acq_rel(&node->references, 1) == 1))
    reuse(node);
}

bool ghcomp_depend_node_is_complete(struct depend_node *node)
{
  return load_acquire(&node->successors) == CLOSED; /* pairs with complete's swap */
}

struct depend_edge *ghcomp_depend_node_successors(struct depend_node *node)
{
  struct depend_edge *edge = load_acquire(&node->successors); /* pairs with order's swap */
  return edge == CLOSED ? NULL : edge;
}

static struct depend_edge *make_edge(struct depend_node *node)
{
  struct depend_edge *edge = &node->edge;
  if (node->edges_added != 0)
    edge = ghcomp_memory_get(sizeof *edge);
  edge->successor = node;
  return edge;
}

static void free_edge(struct depend_edge *edge)
{
  if (edge != &edge->successor->edge)
    ghcomp_memory_release(edge);
}

void ghcomp_depend_node_order(struct depend_node *before, struct depend_node *node)
{
  if (before == node || before->last_successor == node || ghcomp_depend_node_is_complete(before))
    return;
  struct depend_edge *edge = make_edge(node);
  struct depend_edge *seen = load_acquire(&before->successors);
  do {
    if (seen == CLOSED) {
      free_edge(edge);
      return;
    }
    edge->next = seen;
  } while (!cas_acq_rel(&before->successors, &seen, edge)); /* pairs with complete's swap */
  node->edges_added++;
  before->last_successor = node;
}

bool ghcomp_depend_node_registered(struct depend_node *node)
{
  uint32_t rest = REGISTERING - node->edges_added;
  /* Pairs with the subtraction of the last predecessor: the later of the two takes the count to
     0. */
  return sub_acq_rel(&node->predecessors_left, rest) == rest;
}

void ghcomp_depend_complete(struct thread *self, struct depend_node *node,
                            void (*put)(struct thread *, struct task *))
{
  /* Releases the task's effects to threads that find the list closed, and acquires the edges.  */
  struct depend_edge *edge = swap_acq_rel(&node->successors, CLOSED);
  while (edge != NULL) {
    struct depend_edge *next = edge->next;
    struct depend_node *successor = edge->successor;
    struct task *task = successor->task;
    __builtin_prefetch(task, 1);
    __builtin_prefetch((char *)task + CACHELINE, 1);
    free_edge(edge);
    if (ghcomp_parking_count_down(&successor->predecessors_left, successor->waiter) == 0)
      put(self, task);
    edge = next;
  }
  ghcomp_depend_node_drop(node);
}

void ghcomp_depend_drop_nodes(struct thread *thread)
{
  ghcomp_free_list_keep(&thread->tasks.free_nodes, &nodes, 0);
}
