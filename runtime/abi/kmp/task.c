/* task, taskwait, taskyield, taskgroup, events.  Spec: 5.2, chapter 12, 15.4, 15.5.

   The compiler asks for a task's block, fills it and hands it over: to __kmpc_omp_task or one of its kin, or,
   where the if clause is false, to a pair of calls around its own call of the body.  */
#include "abi/kmp/task.h"

#include "task/depend.h"
#include "task/ranges.h"
#include "task/task_wait.h"
#include "task/taskgroup.h"
#include "team/helper_number.h"
#include "team/team.h"

ENTRY_POINTS(kmp_task);

/* ---------------------------------------------------------------------- blocks */

/* Where the shared area of a block begins: LLVM's rule, which compiled code knows, and not only by the pointer in the
   block.  Flang's function that duplicates a taskloop's task adds the block's size and an offset.  */
static inline size_t shared_at(size_t size)
{
  return (size + sizeof(void *) - 1) & ~(sizeof(void *) - 1);
}

static inline struct kmp_task *begin_block(void *block, size_t size, size_t shared_size, kmp_routine *routine)
{
  struct kmp_task *task = block;
  task->shareds = shared_size != 0 ? (char *)task + shared_at(size) : NULL;
  task->routine = routine;
  task->part = 0;
  return task;
}

static __attribute__((noinline)) struct kmp_task *alloc_slowly(unsigned flags, size_t size, size_t shared_size,
                                                               kmp_routine *routine)
{
  void *block = ghcomp_made_block(ghcomp_self(), shared_at(size) + shared_size, flags);
  return begin_block(block, size, shared_size, routine);
}

static inline struct kmp_task *alloc(unsigned flags, size_t size, size_t shared_size, kmp_routine *routine)
{
  struct thread *self = ghcomp_self_pointer;
  if (unlikely(self == NULL))
    return alloc_slowly(flags, size, shared_size, routine);
  void *block = ghcomp_made_block_at_hand(self, shared_at(size) + shared_size, flags);
  if (unlikely(block == NULL))
    return alloc_slowly(flags, size, shared_size, routine);
  return begin_block(block, size, shared_size, routine);
}

EXPORT struct kmp_task *__kmpc_omp_task_alloc(struct kmp_ident *where, int32_t gtid, int32_t flags, size_t size,
                                              size_t shared_size, kmp_routine *routine)
{
  (void)where, (void)gtid;
  return alloc((unsigned)flags & KMP_TASK_OF_COMPILER, size, shared_size, routine);
}

/* target nowait.  There is no other device, so it is a task like any other but for its number.  */
EXPORT struct kmp_task *__kmpc_omp_target_task_alloc(struct kmp_ident *where, int32_t gtid, int32_t flags, size_t size,
                                                     size_t shared_size, kmp_routine *routine, int64_t device)
{
  (void)where, (void)gtid, (void)device;
  return alloc(((unsigned)flags & KMP_TASK_OF_COMPILER) | KMP_TASK_HIDDEN_HELPER, size, shared_size, routine);
}

/* Where a task's data are makes no difference to who executes it.  */
EXPORT int32_t __kmpc_omp_reg_task_with_affinity(struct kmp_ident *where, int32_t gtid, struct kmp_task *task,
                                                 int32_t count, void *affinities)
{
  (void)where, (void)gtid, (void)task, (void)count, (void)affinities;
  return 0;
}

/* ---------------------------------------------------------------------- bodies */

static inline unsigned asked(struct kmp_task *task)
{
  return ghcomp_made_of(task)->compiler_flags;
}

static __attribute__((noinline)) void call_as(struct thread *self, unsigned number, struct kmp_task *task)
{
  unsigned before = self->global_number;
  self->global_number = number;
  task->routine((int32_t)number, task);
  self->global_number = before;
}

/* A task without a routine stands for its dependences.  */
static inline void run(void *block)
{
  struct kmp_task *task = block;
  struct thread *self = ghcomp_self_pointer;
  if (unlikely(task->routine == NULL))
    return;
  if (unlikely(self->global_number != self->own_number)) /* a task for a device waits, on this thread */
    call_as(self, self->own_number, task);
  else
    task->routine(ghcomp_kmp_gtid(self), task);
}

static void run_for_device(void *block)
{
  struct kmp_task *task = block;
  struct thread *self = ghcomp_self_pointer;
  if (task->routine == NULL)
    return;
  struct helper_number taken;
  ghcomp_helper_number_take(self, &taken);
  call_as(self, taken.number, task);
  ghcomp_helper_number_return(self, &taken);
}

typedef void run_function(void *block);

static inline run_function *run_of(unsigned flags)
{
  return (flags & KMP_TASK_HIDDEN_HELPER) != 0 ? run_for_device : run;
}

void ghcomp_kmp_destroy(struct kmp_task *task)
{
  if ((asked(task) & KMP_TASK_DESTRUCTORS) != 0)
    task->data1.destructors(ghcomp_kmp_gtid(ghcomp_self()), task);
}

/* A body that has begun meets its cancellation points.  */
static bool is_to_run(const struct thread *self, const struct kmp_task *task)
{
  return task->part != 0 || !ghcomp_task_is_cancelled(self->member->task);
}

/* In parts, or with objects in the block that must be destroyed even if the body does not run, or a proxy: what completes
   it outside knows it by its block, so it is not over before, even if the body does not run.  */
static void run_with_care(void *block)
{
  struct kmp_task *task = block;
  struct thread *self = ghcomp_self();
  if (!is_to_run(self, task)) {
    if ((asked(task) & KMP_TASK_PROXY) == 0)
      ghcomp_made_skip(self);
  } else if (!ghcomp_made_parts(self, run_of(asked(task)), block))
    return;
  ghcomp_kmp_destroy(task);
}

/* ------------------------------------------------------------------ submission */

static struct made_request request_of(struct kmp_task *task, bool deferrable, void **depend)
{
  unsigned flags = asked(task);
  bool in_parts = (flags & KMP_TASK_TIED) == 0;
  bool always = (flags & (KMP_TASK_DESTRUCTORS | KMP_TASK_PROXY)) != 0;
  return (struct made_request){
      .fn = in_parts || always ? run_with_care : run_of(flags),
      .deferrable = deferrable && (flags & KMP_TASK_MERGED_IF0) == 0,
      .final = (flags & KMP_TASK_FINAL) != 0,
      .in_parts = in_parts,
      .detached = (flags & (KMP_TASK_DETACHABLE | KMP_TASK_PROXY)) != 0,
      .always = always,
      .priority = (flags & KMP_TASK_PRIORITY) != 0 ? task->data2.priority : 0,
      .depend = depend,
  };
}

__attribute__((noinline)) void ghcomp_kmp_submit(struct kmp_task *task, bool deferrable, void **depend)
{
  struct thread *self = ghcomp_self();
  struct made_request request = request_of(task, deferrable, depend);
  ghcomp_made_submit(self, task, &request);
}

/* A task of parts hands itself over when a part has ended.  */
static __attribute__((noinline)) void submit_or_go_on(struct kmp_task *task)
{
  struct thread *self = ghcomp_self();
  if (ghcomp_made_is_current(self, task))
    ghcomp_made_goes_on(self);
  else
    ghcomp_kmp_submit(task, true, NULL);
}

EXPORT int32_t __kmpc_omp_task(struct kmp_ident *where, int32_t gtid, struct kmp_task *task)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self_pointer;
  unsigned flags = asked(task);
  if (likely(self != NULL && (flags & ~(unsigned)KMP_TASK_FINAL) == KMP_TASK_TIED &&
             ghcomp_task_runs_at_once(self, true) && !ghcomp_task_is_cancelled(self->member->task)))
    ghcomp_made_at_once(self, self->member->task, task, run, (flags & KMP_TASK_FINAL) != 0 ? TASK_FINAL : 0);
  else
    submit_or_go_on(task);
  return 0;
}

void ghcomp_kmp_run(struct thread *self, struct kmp_task *task)
{
  unsigned flags = asked(task);
  if (likely((flags & ~(unsigned)KMP_TASK_FINAL) == KMP_TASK_TIED)) {
    ghcomp_made_at_once(self, self->member->task, task, run, (flags & KMP_TASK_FINAL) != 0 ? TASK_FINAL : 0);
    return;
  }
  struct made_request request = request_of(task, true, NULL);
  ghcomp_made_run(self, task, &request);
}

EXPORT int32_t __kmpc_omp_task_parts(struct kmp_ident *where, int32_t gtid, struct kmp_task *task)
{
  return __kmpc_omp_task(where, gtid, task);
}

/* if(false): the compiler calls the body between the two.  */
EXPORT void __kmpc_omp_task_begin_if0(struct kmp_ident *where, int32_t gtid, struct kmp_task *task)
{
  (void)where, (void)gtid;
  struct made_request request = request_of(task, false, NULL);
  ghcomp_made_begin_undeferred(ghcomp_self(), task, &request);
}

EXPORT void __kmpc_omp_task_complete_if0(struct kmp_ident *where, int32_t gtid, struct kmp_task *task)
{
  (void)where, (void)gtid;
  struct thread *self = ghcomp_self();
  ghcomp_made_rest(self, run_of(asked(task)), task);
  ghcomp_kmp_destroy(task);
  ghcomp_made_end_undeferred(self, task, (asked(task) & (KMP_TASK_DETACHABLE | KMP_TASK_PROXY)) != 0);
}

/* --------------------------------------------------------------------- waiting */

EXPORT int32_t __kmpc_omp_taskwait(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  ghcomp_task_wait(ghcomp_self());
  return 0;
}

EXPORT int32_t __kmpc_omp_taskyield(struct kmp_ident *where, int32_t gtid, int32_t end_part)
{
  (void)where, (void)gtid, (void)end_part;
  ghcomp_task_yield(ghcomp_self());
  return 0;
}

EXPORT void __kmpc_taskgroup(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  ghcomp_taskgroup_begin(ghcomp_self());
}

EXPORT void __kmpc_end_taskgroup(struct kmp_ident *where, int32_t gtid)
{
  (void)where, (void)gtid;
  ghcomp_taskgroup_end(ghcomp_self());
}

/* ---------------------------------------------------------------------- events */

EXPORT void *__kmpc_task_allow_completion_event(struct kmp_ident *where, int32_t gtid, struct kmp_task *task)
{
  (void)where, (void)gtid;
  return ghcomp_made_event(task);
}

/* A proxy task has a body too, and something outside that completes it: a detached task that is its own event.
   The second form is for threads that are not of its team; ours is for both.  */
EXPORT void __kmpc_proxy_task_completed(int32_t gtid, struct kmp_task *task)
{
  (void)gtid;
  ghcomp_event_fulfill(ghcomp_made_event(task));
}

EXPORT void __kmpc_proxy_task_completed_ooo(struct kmp_task *task)
{
  ghcomp_event_fulfill(ghcomp_made_event(task));
}

/* -------------------------------------------------------- what a library may ask */

/* A number that no other task has at the time; 0: none.  */
static int32_t number_of(const struct task *task)
{
  return (int32_t)((uintptr_t)task / CACHELINE);
}

EXPORT int32_t __kmpc_get_taskid(void)
{
  return number_of(ghcomp_self()->member->task);
}

EXPORT int32_t __kmpc_get_parent_taskid(void)
{
  return number_of(ghcomp_ranges_parent(load_relaxed(&ghcomp_self()->member->task->parent)));
}

/* Is there anybody who would take up a task of the current team?  */
EXPORT bool __kmpc_omp_has_task_team(int32_t gtid)
{
  (void)gtid;
  return !ghcomp_self()->member->team->own_tasks_only;
}

/* Where a task keeps a device's queue.  There is none without a device: the asker waits instead.  */
EXPORT void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid)
{
  (void)gtid;
  return NULL;
}

/* Of the graph of dependences, a task's node and its edges, as far as their layout is public: a node begins with
   its list of edges; an edge is {node, next}.  NULL: the task has no depend clause; no successors.  All of it is
   valid until the task is complete.  */
EXPORT struct depend_node *__kmpc_task_get_depnode(struct kmp_task *task)
{
  return ghcomp_made_task(task)->node;
}

EXPORT struct depend_edge *__kmpc_task_get_successors(struct kmp_task *task)
{
  struct depend_node *node = ghcomp_made_task(task)->node;
  return node == NULL ? NULL : ghcomp_depend_node_successors(node);
}
