/* The depot: a stack of chains under a lock.  A thread takes the lock about once in a hundred
   objects.  The lock avoids the ABA problem of a lock-free stack.  A chain is taken as a whole, so
   no object is in two lists.  */
#include "memory/free_list.h"

#include "base/memory.h"
#include "wait/lock.h"

#include <string.h>

#define SLAB 16 /* objects made at once */

struct free_chain {
  struct free_item *first;
  unsigned count;
};

/* Guards the chains of every depot.  If a thread of the parent was moving a chain, a forked child
   loses that chain.  */
OWN_LOCK(lock);

static struct free_item *make_slab(size_t size)
{
  char *slab = ghcomp_memory_get_lines(SLAB * size);
  for (unsigned i = 0; i + 1 < SLAB; i++)
    ((struct free_item *)(slab + i * size))->next = (struct free_item *)(slab + (i + 1) * size);
  return (struct free_item *)slab;
}

/* Requires: lock.  */
static void make_room(struct free_depot *depot)
{
  unsigned capacity = depot->capacity != 0 ? 2 * depot->capacity : 16;
  struct free_chain *old = depot->chains, *chains = ghcomp_memory_get(capacity * sizeof *chains);
  if (old != NULL)
    memcpy(chains, old, load_relaxed(&depot->chain_count) * sizeof *chains);
  depot->chains = chains;
  depot->capacity = capacity;
  ghcomp_memory_release(old);
}

/* Joins short chains up to the length of a slab, so that a refill is worth its lock.  Longer chains
   stay apart, because each can serve another thread.
   Requires: lock.  */
static void push(struct free_depot *depot, struct free_chain chain, struct free_item *last)
{
  unsigned count = load_relaxed(&depot->chain_count);
  struct free_chain *top = count != 0 ? &depot->chains[count - 1] : NULL;
  if (top != NULL && top->count + chain.count <= SLAB) {
    last->next = top->first;
    *top = (struct free_chain){chain.first, top->count + chain.count};
    return;
  }
  last->next = NULL;
  if (count == depot->capacity)
    make_room(depot);
  depot->chains[count] = chain;
  store_relaxed(&depot->chain_count, count + 1);
}

/* A chain with count 0: the depot is empty.  */
static struct free_chain pop(struct free_depot *depot)
{
  struct free_chain chain = {NULL, 0};
  if (load_relaxed(&depot->chain_count) == 0) /* a chain that comes at this moment may be missed */
    return chain;
  ghcomp_lock_own(&lock.word);
  unsigned count = load_relaxed(&depot->chain_count);
  if (count != 0) {
    chain = depot->chains[count - 1];
    store_relaxed(&depot->chain_count, count - 1);
  }
  ghcomp_unlock_own(&lock.word);
  return chain;
}

__attribute__((noinline)) void ghcomp_free_list_refill(struct free_list *list,
                                                       struct free_depot *depot)
{
  struct free_chain chain = pop(depot);
  if (chain.count == 0)
    chain = (struct free_chain){make_slab(depot->size), SLAB};
  list->first = chain.first;
  list->count = chain.count;
}

__attribute__((noinline)) void ghcomp_free_list_keep(struct free_list *list,
                                                     struct free_depot *depot, unsigned kept)
{
  struct free_item *first = list->first, *last = first;
  if (first == NULL || list->count <= kept)
    return;
  unsigned dropped = list->count - kept;
  for (unsigned i = 1; i < dropped; i++)
    last = last->next;
  list->first = last->next;
  list->count = kept;
  ghcomp_lock_own(&lock.word);
  push(depot, (struct free_chain){first, dropped}, last);
  ghcomp_unlock_own(&lock.word);
}
