/* Objects of one kind for reuse.  A thread takes an object from its own list.  The thread that no
   longer needs the object puts it into its own list.  A list that grows too long gives half of its
   objects to a depot, and an empty list takes a chain from there.  Memory is never unmapped, so a
   stale pointer can still be read.
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

/* Objects that no thread keeps, in chains of at most FREE_LIST_MOST objects.  A chain is put and
   taken as a whole.  */
struct free_depot {
  CACHE_ALIGNED struct free_chain *chains; /* guarded by a lock, as the next two are */
  _Atomic unsigned chain_count; /* the number of chains; without the lock it is a hint */
  unsigned capacity; /* of `chains` */
  size_t size; /* of an object, a multiple of 64; constant */
};

enum { FREE_LIST_MOST = 256 };

/* Fills an empty list.  New objects are zero except for the link.  */
void ghcomp_free_list_refill(struct free_list *list, struct free_depot *depot);

/* Gives all but `kept` objects to the depot.  */
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
