/* taskgroup, and the private copies of task reductions.
   Spec: 5.2, 15.4, 5.5.  */
#ifndef GHCOMP_TASK_TASKGROUP_H
#define GHCOMP_TASK_TASKGROUP_H

#include "state/task.h"
#include "task/task.h"

/* Opens a taskgroup for the tasks that the current task creates.  */
struct taskgroup *ghcomp_taskgroup_begin(struct thread *self);

/* Waits for all tasks of the innermost taskgroup, and closes it.  */
void ghcomp_taskgroup_end(struct thread *self);

/* ----------------------------------------------------------- task reductions */

/* Private copies for reductions over tasks.

   The compiler describes a reduction clause by an array of words:
     [0] variables  [1] bytes per thread  [2] alignment in, copies out
     [3] allocator  [4] next array        [5] ours: nonzero in a list's first
     [6] end of the copies, out           [7…] per variable: address, offset, ours
   Spec: 5.2, 5.5.9, 5.5.10.  */

/* Gives each array of the list zeroed copies for `threads` threads, and puts the list in front of
   `outer`.  */
void ghcomp_reduction_register(uintptr_t *list, uintptr_t *outer, unsigned threads);

/* Frees the copies of the list, but not those of the outer ones.  */
void ghcomp_reduction_release(uintptr_t *list);

/* Replaces the addresses of `count` reduction variables (or of any thread's copies) by those of the
   calling thread's copies.  For the first `originals` of them the variables' own addresses are
   stored behind the array.  */
void ghcomp_reduction_remap(struct thread *self, size_t count, size_t originals, void **pointers);

/* For a worksharing construct, where every member has the same list.  All share the copies that the
   first member makes, an array with *lists elements. begin opens a taskgroup. end closes it and
   returns the list, which the first member releases after the construct's barrier.  */
void **ghcomp_reduction_make_copies(const uintptr_t *list, unsigned threads, unsigned *lists);
void ghcomp_reduction_begin_construct(struct thread *self, void *const *copies, uintptr_t *list);
uintptr_t *ghcomp_reduction_end_construct(struct thread *self);

/* ---------------------------------------- reductions that the runtime combines */

/* For compilers of the LLVM family the runtime makes each member's copies, and combines them into the
   variable when the taskgroup ends.  A member makes its copy ready when it first asks for it, so members
   that do nothing for the reduction cost nothing.  See combined.c.  */

struct combined_item {
  void *shared;                             /* what the copies are combined into */
  void *original;                           /* for `init` */
  size_t size;
  void (*init)(void *copy, void *original); /* NULL: the copy begins with zeros */
  void (*fini)(void *copy);                 /* or NULL */
  void (*combine)(void *shared, void *copy);
};

/* The innermost taskgroup of the current task reduces these from here to its end.  */
void ghcomp_combined_begin(struct thread *self, const struct combined_item *items, unsigned count);

/* The same for a construct that all members of the team meet, in a taskgroup that this opens: the copies belong to
   all.  Each member has its own variables, and the last to close its taskgroup combines the copies into its.
   `common`: a word of the construct's, NULL at first.  */
struct taskgroup *ghcomp_combined_begin_construct(struct thread *self, _Atomic(void *) *common,
                                                  const struct combined_item *items, unsigned count);

/* The calling member's copy for a variable, or for any member's copy of it, of `group` or one around it; NULL if none
   reduces it.  *original, unless `original` is NULL: what the copies are combined into.  */
void *ghcomp_combined_copy(struct thread *self, struct taskgroup *group, void *address, void **original);

/* The taskgroup's tasks are complete.  */
void ghcomp_combined_end(struct taskgroup *group);

/* ------------------------------------------------------------------ taskloop */

/* taskloop: a loop cut into tasks.  Spec: 5.2, 12.6.  */

struct taskloop_request {
  struct task_request task;  /* its block begins with two 64-bit bounds */
  uint64_t count;            /* iterations */
  uint64_t begin, step;      /* values, mod 2^64 */
  uint64_t tasks;            /* num_tasks or grainsize; 0: neither */
  bool grainsize, strict, nogroup;
  bool one_by_one;           /* its creator creates each task; see taskloop.c */
  uintptr_t *reductions;     /* or NULL */
  /* Creates the task of the values from `first` to before `last`; NULL: ghcomp_task_create, as `task` says.  */
  void (*create)(struct thread *self, const struct taskloop_request *request, uint64_t first, uint64_t last,
                 bool is_last);
  /* The same for a task that is executed before the call returns.  Called by any thread.  */
  void (*run)(struct thread *self, const struct taskloop_request *request, uint64_t first, uint64_t last);
  size_t size;               /* of the struct that begins with this, if `nogroup` may mean that the caller has opened one; or 0 */
  /* No task will be created any more.  Called by the thread that encountered the loop, at the latest at the end of the innermost
     taskgroup.  NULL: nothing needs to be done.  */
  void (*end)(struct thread *self, const struct taskloop_request *request);
};

void ghcomp_taskloop_run(struct thread *self, const struct taskloop_request *request);

/* Waits for the tasks of the current task's loops that have outlived their construct: for taskwait.  */
void ghcomp_taskloop_wait(struct thread *self);

/* At the end of the group.  */
void ghcomp_taskloop_end(struct thread *self, struct taskgroup *group);

#endif
