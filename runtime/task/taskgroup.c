/* A taskgroup counts its unfinished tasks; its owner waits for the count.  */
#include "task/taskgroup.h"

#include "base/memory.h"
#include "base/message.h"
#include "state/thread.h"
#include "task/task_wait.h"

#include <string.h>

struct taskgroup *ghcomp_taskgroup_begin(struct thread *self)
{
  struct task *task = self->member->task;
  struct taskgroup *group = ghcomp_memory_get_zero(sizeof *group);
  store_relaxed(&group->unfinished, 1);
  store_relaxed(&group->waiter, &self->waiter);
  group->outer = task->group;
  group->opener = task;
  group->reductions = task->group != NULL ? task->group->reductions : NULL;
  task->group = group;
  return group;
}

void ghcomp_taskgroup_end(struct thread *self)
{
  struct task *task = self->member->task;
  struct taskgroup *group = task->group;
  if (group == NULL)
    return;
  ghcomp_task_wait_count(self, &group->unfinished);
  if (unlikely(group->combined != NULL))
    ghcomp_combined_end(group);
  if (unlikely(group->loops != NULL))
    ghcomp_taskloop_end(self, group);
  task->group = group->outer;
  ghcomp_memory_release(group);
}

/* ----------------------------------------------------------- task reductions */

/* Finds a thread's private copy of a variable of a task reduction.  */

enum { VARIABLES, BYTES, COPIES, ALLOCATOR, NEXT, FIRST, END, ENTRIES };
enum { ENTRY_ADDRESS, ENTRY_OFFSET, ENTRY_OURS, ENTRY_WORDS };

static void *make_copies(const uintptr_t *array, unsigned threads)
{
  size_t alignment = array[COPIES] < CACHELINE ? CACHELINE : array[COPIES];
  size_t size = array[BYTES] * threads;
  size = (size + alignment - 1) / alignment * alignment;
  void *copies = ghcomp_memory_try_aligned(alignment, size != 0 ? size : alignment);
  if (copies == NULL)
    ghcomp_message_fatal("out of memory: a reduction over tasks needs %zu bytes for %u threads; "
                         "the program ends here", size, threads);
  memset(copies, 0, size);
  return copies;
}

static void set_copies(uintptr_t *array, void *copies, unsigned threads)
{
  size_t size = array[BYTES] * threads;
  array[COPIES] = (uintptr_t)copies;
  array[END] = (uintptr_t)copies + size;
  array[FIRST] = 0;
}

/* Marks the list's first array, and links the last one to the outer list.  */
static void link_list(uintptr_t *list, uintptr_t *outer)
{
  uintptr_t *last = list;
  while (last[NEXT] != 0)
    last = (uintptr_t *)last[NEXT];
  last[NEXT] = (uintptr_t)outer;
  list[FIRST] = 1;
}

void ghcomp_reduction_register(uintptr_t *list, uintptr_t *outer, unsigned threads)
{
  for (uintptr_t *array = list; array != NULL; array = (uintptr_t *)array[NEXT])
    set_copies(array, make_copies(array, threads), threads);
  link_list(list, outer);
}

void ghcomp_reduction_release(uintptr_t *list)
{
  uintptr_t *array = list;
  do {
    ghcomp_memory_release((void *)array[COPIES]);
    array = (uintptr_t *)array[NEXT];
  } while (array != NULL && array[FIRST] == 0);
}

/* The array and the entry of the variable that `address` belongs to.  The address is the variable's
   own, or that of a thread's copy.  */
static uintptr_t *find(uintptr_t *list, uintptr_t address, uintptr_t *offset, uintptr_t *original)
{
  for (uintptr_t *array = list; array != NULL; array = (uintptr_t *)array[NEXT]) {
    uintptr_t *entries = array + ENTRIES;
    bool is_copy = address >= array[COPIES] && address < array[END];
    uintptr_t inside = is_copy ? (address - array[COPIES]) % array[BYTES] : 0;
    uintptr_t *best = NULL;
    for (uintptr_t i = 0; i < array[VARIABLES]; i++) {
      uintptr_t *entry = entries + i * ENTRY_WORDS;
      if (is_copy ? entry[ENTRY_OFFSET] <= inside : entry[ENTRY_ADDRESS] == address)
        best = entry; /* offsets grow, so the last one that fits */
      if (best != NULL && !is_copy)
        break;
    }
    if (best == NULL)
      continue;
    *offset = is_copy ? inside : best[ENTRY_OFFSET];
    *original = best[ENTRY_ADDRESS];
    return array;
  }
  return NULL;
}

/* One that another compiler's code reduces, or nobody.  */
static void remap_combined(struct thread *self, void **original, void **pointer)
{
  void *copy = ghcomp_combined_copy(self, self->member->task->group, *pointer, original);
  if (copy == NULL)
    ghcomp_message_fatal("a task's in_reduction names %p, which no enclosing taskgroup "
                         "reduces; the program ends here", *pointer);
  *pointer = copy;
}

void ghcomp_reduction_remap(struct thread *self, size_t count, size_t originals, void **pointers)
{
  struct member *member = self->member;
  struct taskgroup *group = member->task->group;
  uintptr_t *list = group != NULL ? group->reductions : NULL;
  for (size_t i = 0; i < count; i++) {
    uintptr_t offset, original;
    uintptr_t *array = find(list, (uintptr_t)pointers[i], &offset, &original);
    if (array == NULL) {
      remap_combined(self, i < originals ? &pointers[count + i] : NULL, &pointers[i]);
      continue;
    }
    pointers[i] = (void *)(array[COPIES] + member->number * array[BYTES] + offset);
    if (i < originals)
      pointers[count + i] = (void *)original;
  }
}

/* ---------------------------------------------------------- worksharing constructs */

void **ghcomp_reduction_make_copies(const uintptr_t *list, unsigned threads, unsigned *lists)
{
  *lists = 0;
  for (const uintptr_t *a = list; a != NULL; a = (const uintptr_t *)a[NEXT])
    ++*lists;
  void **copies = ghcomp_memory_get(*lists * sizeof *copies);
  for (unsigned i = 0; i < *lists; i++, list = (const uintptr_t *)list[NEXT])
    copies[i] = make_copies(list, threads);
  return copies;
}

void ghcomp_reduction_begin_construct(struct thread *self, void *const *copies, uintptr_t *list)
{
  struct member *member = self->member;
  unsigned threads = member->team->size, i = 0;
  uintptr_t *outer = member->task->group != NULL ? member->task->group->reductions : NULL;
  for (uintptr_t *array = list; array != NULL; array = (uintptr_t *)array[NEXT], i++)
    set_copies(array, copies[i], threads);
  link_list(list, outer);
  struct taskgroup *group = ghcomp_taskgroup_begin(self);
  group->workshare = true;
  group->reductions = list;
}

uintptr_t *ghcomp_reduction_end_construct(struct thread *self)
{
  uintptr_t *list = self->member->task->group->reductions;
  ghcomp_taskgroup_end(self);
  return list;
}
