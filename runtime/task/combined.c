/* Reductions over tasks that the runtime combines.  Spec: 5.2, 5.5.9, 5.5.10.

   The copies are memory for each member.  A member makes its copy ready when it first asks for it, and only that
   member touches it while the taskgroup is open.  When that ends, whoever is the last to use the memory (all
   members of a construct do, each in its own taskgroup) finds by the taskgroup's count, and that of the users, what
   the others did.

   A task of GCC's code may take part.  It looks behind the variable, at a byte, whether the copy is ready, and would
   begin it anew; so a copy that is ready has ones there.  Clang 14 says the size of one element where it means a
   section of an array: then init() overwrites what was wrong, as far as the line goes.

   Invariant: `users` is the number of taskgroups that have not ended.  */
#include "task/taskgroup.h"

#include "base/memory.h"
#include "base/message.h"
#include "state/thread.h"

#include <string.h>

/* The copies of one variable.  */
struct copies {
  char *memory;
  size_t stride; /* from a member's to the next */
  char *ready;   /* of each member: behind the last copy */
};

struct common {
  _Atomic unsigned users;
  unsigned threads;
  struct copies copies[]; /* of each variable */
};

/* What a taskgroup knows.  */
struct combined {
  struct common *common;
  unsigned count;
  struct combined_item items[];
};

static size_t stride_of(size_t size)
{
  return (size + 1 + CACHELINE - 1) & ~(size_t)(CACHELINE - 1);
}

static struct common *make_common(const struct combined_item *items, unsigned count, unsigned threads, unsigned users)
{
  struct common *common = ghcomp_memory_get(sizeof *common + count * sizeof common->copies[0]);
  store_relaxed(&common->users, users);
  common->threads = threads;
  for (unsigned i = 0; i < count; i++) {
    size_t stride = stride_of(items[i].size), all = stride * threads;
    char *memory = ghcomp_memory_get_lines(all + threads);
    common->copies[i] = (struct copies){memory, stride, memory + all};
  }
  return common;
}

static void drop_common(struct common *common, unsigned count)
{
  for (unsigned i = 0; i < count; i++)
    ghcomp_memory_release(common->copies[i].memory);
  ghcomp_memory_release(common);
}

static void attach(struct taskgroup *group, struct common *common, const struct combined_item *items, unsigned count)
{
  struct combined *combined = ghcomp_memory_get(sizeof *combined + count * sizeof *items);
  combined->common = common;
  combined->count = count;
  memcpy(combined->items, items, count * sizeof *items);
  group->combined = combined;
}

void ghcomp_combined_begin(struct thread *self, const struct combined_item *items, unsigned count)
{
  struct member *member = self->member;
  struct taskgroup *group = member->task->group;
  if (group == NULL)
    ghcomp_message_fatal("a task reduction begins outside a taskgroup; the program ends here");
  attach(group, make_common(items, count, member->team->size, 1), items, count);
}

struct taskgroup *ghcomp_combined_begin_construct(struct thread *self, _Atomic(void *) *word,
                                                  const struct combined_item *items, unsigned count)
{
  unsigned threads = self->member->team->size;
  struct taskgroup *group = ghcomp_taskgroup_begin(self);
  group->workshare = true;
  void *common = load_acquire(word); /* pairs with the cas below */
  if (common == NULL) {
    struct common *mine = make_common(items, count, threads, threads);
    if (cas_acq_rel(word, &common, mine))
      common = mine;
    else
      drop_common(mine, count);
  }
  attach(group, common, items, count);
  return group;
}

/* ----------------------------------------------------------------------- copies */

static bool is_of(const struct combined *combined, unsigned i, const void *address)
{
  const struct copies *copies = &combined->common->copies[i];
  uintptr_t at = (uintptr_t)address, memory = (uintptr_t)copies->memory;
  return address == combined->items[i].shared ||
         (at >= memory && at < memory + copies->stride * combined->common->threads);
}

static void *ready_copy(const struct combined_item *item, const struct copies *copies, unsigned number)
{
  char *copy = copies->memory + copies->stride * number;
  if (!copies->ready[number]) {
    copies->ready[number] = true;
    memset(copy + item->size, 1, copies->stride - item->size);
    if (item->init != NULL)
      item->init(copy, item->original);
  }
  return copy;
}

void *ghcomp_combined_copy(struct thread *self, struct taskgroup *group, void *address, void **original)
{
  unsigned number = self->member->number;
  for (; group != NULL; group = group->outer) {
    struct combined *combined = group->combined;
    for (unsigned i = 0; combined != NULL && i < combined->count; i++) {
      if (!is_of(combined, i, address) || number >= combined->common->threads)
        continue;
      if (original != NULL)
        *original = combined->items[i].shared;
      return ready_copy(&combined->items[i], &combined->common->copies[i], number);
    }
  }
  return NULL;
}

/* -------------------------------------------------------------------------- end */

static void combine(const struct combined_item *item, const struct copies *copies, unsigned threads)
{
  for (unsigned number = 0; number < threads; number++) {
    char *copy = copies->memory + copies->stride * number;
    if (!copies->ready[number])
      continue;
    item->combine(item->shared, copy);
    if (item->fini != NULL)
      item->fini(copy);
  }
}

void ghcomp_combined_end(struct taskgroup *group)
{
  struct combined *combined = group->combined;
  struct common *common = combined->common;
  /* Pairs with itself: the last sees the copies of the others' tasks.  */
  if (sub_acq_rel(&common->users, 1) == 1) {
    for (unsigned i = 0; i < combined->count; i++)
      combine(&combined->items[i], &common->copies[i], common->threads);
    drop_common(common, combined->count);
  }
  ghcomp_memory_release(combined);
}
