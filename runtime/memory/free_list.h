/* Objects of one kind for reuse: taken from a list of the thread's, put back into the
   list of the thread that is through with them.  A list that grows too long gives half
   of itself to a depot, where empty lists find a chain.  Memory is never given back, so
   who holds a stale pointer may still read.

   Cost: a few instructions on lines of the thread's own.  */
#ifndef GHCOMP_MEMORY_FREE_LIST_H
#define GHCOMP_MEMORY_FREE_LIST_H

#include "base/atomics.h"
#include "base/memory.h"

#include <stddef.h>

/* The first member of such an object.  */
struct free_item {
  struct free_item *next;
};

struct free_list {
  struct free_item *first;
  unsigned count;
};

/* What no thread keeps, in chains that come and go as wholes, of FREE_LIST_MOST objects at
   the most.  */
struct free_depot {
  CACHE_ALIGNED struct free_chain *chains; /* guarded by a lock, as are these: */
  _Atomic unsigned chain_count; /* chains there are; a look without the lock is a hint */
  unsigned room;
  size_t size; /* of an object, a multiple of 64; constant */
};

enum { FREE_LIST_MOST = 256 };

/* Fills an empty list; new objects are all-zero but for the link.  */
void ghcomp_free_list_refill(struct free_list *list, struct free_depot *depot);

/* All but `kept` go to the depot.  */
void ghcomp_free_list_keep(struct free_list *list, struct free_depot *depot, unsigned kept);

static inline void *ghcomp_free_list_take(struct free_list *list, struct free_depot *depot)
{
  if (unlikely(list->first == NULL))
    ghcomp_free_list_refill(list, depot);
  struct free_item *item = list->first;
  list->first = item->next;
  list->count--;
  return item;
}

static inline void ghcomp_free_list_put(struct free_list *list, struct free_depot *depot,
                                        struct free_item *item)
{
  item->next = list->first;
  list->first = item;
  if (unlikely(++list->count > FREE_LIST_MOST))
    ghcomp_free_list_keep(list, depot, FREE_LIST_MOST / 2);
}

#endif
