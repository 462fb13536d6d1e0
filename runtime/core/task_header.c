#include "core/task_header.h"

#include "core/memory.h"

#define SLAB 16 /* headers made at once */

/* Headers that no thread keeps.  Pushed one chain at a time, taken all at
   once, so that no chain can change under a compare-and-swap.  */
static _Atomic(struct task *) spare_headers;

static void push_chain(struct task *first, struct task *last)
{
  struct task *seen = load_relaxed(&spare_headers);
  do
    last->next = seen;
  while (!cas_release(&spare_headers, &seen, first)); /* pairs with the swap below */
}

__attribute__((noinline)) void ghcomp_task_header_refill(struct thread *self)
{
  struct task *chain = swap_acquire(&spare_headers, NULL); /* pairs with push_chain */
  if (chain == NULL) {
    struct task *slab = ghcomp_memory_get_lines(SLAB * sizeof *slab);
    for (unsigned i = 0; i + 1 < SLAB; i++)
      slab[i].next = &slab[i + 1];
    chain = slab;
  }
  self->free_tasks = chain;
  for (; chain != NULL; chain = chain->next)
    self->free_task_count++;
}

__attribute__((noinline)) void ghcomp_task_headers_keep(struct thread *self, unsigned kept)
{
  struct task *first = self->free_tasks, *last = first;
  if (first == NULL || self->free_task_count <= kept)
    return;
  unsigned dropped = self->free_task_count - kept;
  for (unsigned i = 1; i < dropped; i++)
    last = last->next;
  self->free_tasks = last->next;
  self->free_task_count = kept;
  push_chain(first, last);
}
