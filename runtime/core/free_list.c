#include "core/free_list.h"

#include "core/memory.h"

#define SLAB 16 /* objects made at once */

static void push_chain(struct free_depot *depot, struct free_item *first, struct free_item *last)
{
  struct free_item *seen = load_relaxed(&depot->spare);
  do
    last->next = seen;
  while (!cas_release(&depot->spare, &seen, first)); /* pairs with the swap below */
}

static struct free_item *make_slab(size_t size)
{
  char *slab = ghcomp_memory_get_lines(SLAB * size);
  for (unsigned i = 0; i + 1 < SLAB; i++)
    ((struct free_item *)(slab + i * size))->next = (struct free_item *)(slab + (i + 1) * size);
  return (struct free_item *)slab;
}

__attribute__((noinline)) void ghcomp_free_list_refill(struct free_list *list,
                                                       struct free_depot *depot)
{
  struct free_item *chain = swap_acquire(&depot->spare, NULL); /* pairs with push_chain */
  if (chain == NULL)
    chain = make_slab(depot->size);
  list->first = chain;
  for (; chain != NULL; chain = chain->next)
    list->count++;
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
  push_chain(depot, first, last);
}
