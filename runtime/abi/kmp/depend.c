/* depend clauses: records of an address and a kind each.  Spec: 5.2, 15.9.5.

   They become GCC's array of OpenMP 5, in the part that names depend objects: [0, n, 0, 0, 0, address of each
   object], an object being {address, kind}.  */
#include "abi/kmp/task.h"

#include "base/memory.h"
#include "task/task_wait.h"

#include <string.h>

ENTRY_POINTS(kmp_depend);

struct depend_object {
  const void *address; /* NULL: all memory */
  uintptr_t kind;
};

enum { OBJECT_IN = 1, OBJECT_INOUT = 3, OBJECT_MUTEXINOUTSET = 4, OBJECT_INOUTSET = 5 };

static uintptr_t kind_of(unsigned flags)
{
  if (flags == KMP_DEPEND_IN)
    return OBJECT_IN;
  if (flags == KMP_DEPEND_MUTEXINOUTSET)
    return OBJECT_MUTEXINOUTSET;
  return flags == KMP_DEPEND_INOUTSET ? OBJECT_INOUTSET : OBJECT_INOUT;
}

/* Two storages that begin at address 0 are one, but not all memory.  */
static const char address_zero;

static struct depend_object object_of(const struct kmp_depend *record)
{
  bool all = record->address == -1 || (record->flags & KMP_DEPEND_ALL_MEMORY) != 0;
  const void *address = record->address != 0 ? (const void *)record->address : &address_zero;
  return all ? (struct depend_object){NULL, OBJECT_INOUT} : (struct depend_object){address, kind_of(record->flags)};
}

enum { HEAD = 5, FEW = 16 };

/* GCC's array for two lists of records: the second has no address of the first's.  */
struct depends {
  void **array; /* NULL: no record */
  void *few_words[HEAD + FEW];
  struct depend_object few[FEW];
};

static void begin(struct depends *d, int32_t count, const struct kmp_depend *records, int32_t count_2,
                  const struct kmp_depend *records_2)
{
  size_t first = count > 0 ? (size_t)count : 0, second = count_2 > 0 ? (size_t)count_2 : 0, all = first + second;
  d->array = NULL;
  if (all == 0)
    return;
  struct depend_object *objects = d->few;
  d->array = d->few_words;
  if (all > FEW) {
    d->array = ghcomp_memory_get((HEAD + all) * sizeof(void *) + all * sizeof *objects);
    objects = (struct depend_object *)(d->array + HEAD + all);
  }
  memset(d->array, 0, HEAD * sizeof(void *));
  d->array[1] = (void *)all;
  for (size_t i = 0; i < all; i++) {
    objects[i] = object_of(i < first ? &records[i] : &records_2[i - first]);
    d->array[HEAD + i] = &objects[i];
  }
}

static void end(struct depends *d)
{
  if (d->array != d->few_words)
    ghcomp_memory_release(d->array);
}

EXPORT int32_t __kmpc_omp_task_with_deps(struct kmp_ident *where, int32_t gtid, struct kmp_task *task, int32_t count,
                                         struct kmp_depend *records, int32_t count_2, struct kmp_depend *records_2)
{
  (void)where, (void)gtid;
  struct depends depends;
  begin(&depends, count, records, count_2, records_2);
  ghcomp_kmp_submit(task, true, depends.array);
  end(&depends);
  return 0;
}

EXPORT void __kmpc_omp_wait_deps(struct kmp_ident *where, int32_t gtid, int32_t count, struct kmp_depend *records,
                                 int32_t count_2, struct kmp_depend *records_2)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self();
  struct depends depends;
  if (ghcomp_task_is_cancelled(self->member->task))
    return;
  begin(&depends, count, records, count_2, records_2);
  if (depends.array != NULL)
    ghcomp_task_wait_depend(self, depends.array);
  end(&depends);
}

static void do_nothing(void *data)
{
  (void)data;
}

/* taskwait depend(…); with nowait an empty task with these dependences.  */
EXPORT void __kmpc_omp_taskwait_deps_51(struct kmp_ident *where, int32_t gtid, int32_t count, struct kmp_depend *records,
                                        int32_t count_2, struct kmp_depend *records_2, int32_t nowait)
{
  if (nowait == 0) {
    __kmpc_omp_wait_deps(where, gtid, count, records, count_2, records_2);
    return;
  }
  struct depends depends;
  begin(&depends, count, records, count_2, records_2);
  struct task_request request = {.fn = do_nothing, .deferrable = true, .depend = depends.array};
  ghcomp_task_create(ghcomp_self(), &request);
  end(&depends);
}
