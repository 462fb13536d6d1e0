/* task_reduction, in_reduction, reduction(task, …).  Spec: 5.2, 5.5.8 to 5.5.10.  */
#include "abi/kmp/kmp.h"
#include "base/memory.h"
#include "base/message.h"
#include "task/taskgroup.h"
#include "work/slots.h"

ENTRY_POINTS(kmp_taskred);

/* Both forms of the compiler's record.  The older one's `init` takes the copy only, and may be called with more.  */
static struct combined_item item_of(const struct kmp_taskred *record)
{
  return (struct combined_item){
      .shared = record->shared,
      .original = record->original != NULL ? record->original : record->shared,
      .size = record->size, .init = record->init, .fini = record->fini, .combine = record->combine};
}

static struct combined_item item_of_old(const struct kmp_taskred_old *record)
{
  return (struct combined_item){
      .shared = record->shared, .original = record->shared, .size = record->size,
      .init = (void (*)(void *, void *))(void (*)(void))record->init, .fini = record->fini,
      .combine = record->combine};
}

static struct combined_item *items_of(int32_t count, const void *records, bool old)
{
  struct combined_item *items = ghcomp_memory_get((size_t)count * sizeof *items);
  for (int32_t i = 0; i < count; i++)
    items[i] = old ? item_of_old((const struct kmp_taskred_old *)records + i)
                   : item_of((const struct kmp_taskred *)records + i);
  return items;
}

static void *begin(int32_t count, const void *records, bool old)
{
  struct thread *self = ghcomp_self();
  struct combined_item *items = items_of(count, records, old);
  ghcomp_combined_begin(self, items, (unsigned)count);
  ghcomp_memory_release(items);
  return self->member->task->group;
}

/* Each member of the team calls it: the construct has a slot like a single.  */
static void *begin_construct(int32_t count, const void *records, bool old)
{
  struct thread *self = ghcomp_self();
  struct slot *slot = ghcomp_slots_enter(self->member);
  struct combined_item *items = items_of(count, records, old);
  struct taskgroup *group = ghcomp_combined_begin_construct(self, &slot->published, items, (unsigned)count);
  ghcomp_memory_release(items);
  return group;
}

EXPORT void *__kmpc_taskred_init(int32_t gtid, int32_t count, struct kmp_taskred *records)
{
  (void)gtid;
  return begin(count, records, false);
}

EXPORT void *__kmpc_task_reduction_init(int32_t gtid, int32_t count, struct kmp_taskred_old *records)
{
  (void)gtid;
  return begin(count, records, true);
}

EXPORT void *__kmpc_taskred_modifier_init(struct kmp_ident *where, int32_t gtid, int32_t worksharing, int32_t count,
                                          struct kmp_taskred *records)
{
  (void)where, (void)gtid, (void)worksharing;
  return begin_construct(count, records, false);
}

EXPORT void *__kmpc_task_reduction_modifier_init(struct kmp_ident *where, int32_t gtid, int32_t worksharing,
                                                 int32_t count, struct kmp_taskred_old *records)
{
  (void)where, (void)gtid, (void)worksharing;
  return begin_construct(count, records, true);
}

EXPORT void __kmpc_task_reduction_modifier_fini(struct kmp_ident *where, int32_t gtid, int32_t worksharing)
{
  (void)where, (void)gtid, (void)worksharing;
  ghcomp_taskgroup_end(ghcomp_self());
}

/* GCC's code begins its copies itself, so what it reduces is not for others.  */
EXPORT void *__kmpc_task_reduction_get_th_data(int32_t gtid, void *group, void *address)
{
  (void)gtid;
  struct thread *self = ghcomp_self();
  if (group == NULL)
    group = self->member->task->group;
  void *copy = ghcomp_combined_copy(self, group, address, NULL);
  if (copy == NULL)
    ghcomp_message_fatal("a task's in_reduction names %p, which no enclosing taskgroup reduces, or one that GCC "
                         "compiled: its copies are not for tasks that another compiler compiled.  The program ends "
                         "here (the other way round is possible)", address);
  return copy;
}
