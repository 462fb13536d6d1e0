/* What compilers of the LLVM family (clang, flang, Intel's) and their runtime agree on: layouts, flags
   and numbers of the __kmpc_* calls.  The definitions in this folder are the prototypes, as in the one
   above.

   The number.  A thread is named by a small number, `gtid`: its own from its first call to its end,
   different from that of every living thread, the same on every nesting level.  Compiled code asks
   for it (__kmpc_global_thread_num) and hands it back, and never looks at it.  The runtime finds
   the calling thread faster by its thread-local pointer, so entry points ignore the argument; tasks
   and bodies get a number because compiled code hands that on.

   The node.  Compiled code asks for every name, omp_* too, under the version node VERSION.  All
   exported names of the families __kmpc_, kmp_, kmpc_, ompc_ get it by the patterns in exports.map;
   omp_* names, which have libgomp's nodes, get it in addition by a line in omp.ld.  A line may
   name another function, where LLVM's routine differs from libgomp's of the same name.  */
#ifndef GHCOMP_ABI_KMP_KMP_H
#define GHCOMP_ABI_KMP_KMP_H

#include "abi/border.h"
#include "work/slots.h"

/* ------------------------------------------------------------------ where it is */

/* Place in the source; may be NULL.  */
struct kmp_ident {
  int32_t reserved_1, flags, reserved_2, length;
  const char *source; /* ;file;function;line;column;; */
};

enum kmp_ident_flags {
  KMP_IDENT_ATOMIC_REDUCTION = 0x10, /* the compiler has made a form of the reduction that uses atomics */
};

/* A barrier's or a reduction's name: zeroed memory of 32 bytes, of which a lock needs four.  */
typedef int32_t kmp_critical_name[8];

/* -------------------------------------------------------------------- schedules */

enum kmp_schedule {
  KMP_STATIC_CHUNKED = 33,
  KMP_STATIC = 34,
  KMP_DYNAMIC = 35,
  KMP_GUIDED = 36,
  KMP_RUNTIME = 37,
  KMP_AUTO = 38,
  KMP_TRAPEZOIDAL = 39,
  KMP_STATIC_STEAL = 44,
  KMP_STATIC_BALANCED_CHUNKED = 45, /* equal parts, rounded up to a multiple of the chunk */
  KMP_GUIDED_SIMD = 46,
  KMP_RUNTIME_SIMD = 47,
  KMP_DISTRIBUTE_CHUNKED = 91,
  KMP_DISTRIBUTE = 92,

  KMP_ORDERED = 32,                 /* added to one of the first */
  KMP_FIRST_NO_MERGE = 160,         /* as from 32 on, and from 160 + 32 on ordered */
};
#define KMP_MONOTONIC (1u << 29)
#define KMP_NONMONOTONIC (1u << 30)

/* ------------------------------------------------------------------------ tasks */

struct kmp_task;
typedef int32_t kmp_routine(int32_t gtid, struct kmp_task *task); /* its result means nothing */

/* The block that __kmpc_omp_task_alloc makes and the compiler fills: this, its private variables, and
   the shared area.  */
struct kmp_task {
  void *shareds; /* the runtime's: the shared area in the same block */
  kmp_routine *routine;
  int32_t part;  /* untied: where it goes on */
  union {
    kmp_routine *destructors; /* with KMP_TASK_DESTRUCTORS */
  } data1;
  union {
    int32_t priority;         /* with KMP_TASK_PRIORITY */
    kmp_routine *unused;
  } data2;
};

/* That of a taskloop goes on with these.  */
struct kmp_taskloop_task {
  struct kmp_task task;
  uint64_t lower, upper; /* both belong to the loop */
  int64_t stride;
  int32_t last;          /* it has the loop's last iteration */
  void *reductions;
};

/* Compilers also say 0x80, a task of threadset(omp_pool), and 0x100, a transparent one (Clang 23).  Both are like any
   other here.  */
enum kmp_task_flags {
  KMP_TASK_TIED = 1,
  KMP_TASK_FINAL = 2,
  KMP_TASK_MERGED_IF0 = 4,
  KMP_TASK_DESTRUCTORS = 8,
  KMP_TASK_PROXY = 0x10,
  KMP_TASK_PRIORITY = 0x20,
  KMP_TASK_DETACHABLE = 0x40,
  KMP_TASK_OF_COMPILER = 0x7f, /* all of them that count */
  KMP_TASK_HIDDEN_HELPER = 0x80, /* the runtime's own: of __kmpc_omp_target_task_alloc */
};

struct kmp_depend {
  intptr_t address; /* -1: all memory */
  size_t length;    /* means nothing */
  uint8_t flags;
};

enum kmp_depend_flags {
  KMP_DEPEND_IN = 1,
  KMP_DEPEND_OUT = 2, /* and inout: 3 */
  KMP_DEPEND_MUTEXINOUTSET = 4,
  KMP_DEPEND_INOUTSET = 8,
  KMP_DEPEND_ALL_MEMORY = 0x80,
};

/* reduction(task, …), in_reduction.  */
struct kmp_taskred {
  void *shared, *original;
  size_t size;
  void (*init)(void *copy, void *original);
  void (*fini)(void *copy);
  void (*combine)(void *shared, void *copy);
  uint32_t flags; /* 1: make copies when they are first used */
};

/* The form without `original`.  */
struct kmp_taskred_old {
  void *shared;
  size_t size;
  void (*init)(void *copy);
  void (*fini)(void *copy);
  void (*combine)(void *shared, void *copy);
  uint32_t flags;
};

/* ---------------------------------------------------------------------- layouts */

_Static_assert(sizeof(struct kmp_ident) == 24, "ident_t");
_Static_assert(offsetof(struct kmp_task, data1) == 24 && sizeof(struct kmp_task) == 40, "kmp_task_t");
_Static_assert(offsetof(struct kmp_taskloop_task, reductions) == 72 && sizeof(struct kmp_taskloop_task) == 80,
               "the task of a taskloop");
_Static_assert(sizeof(struct kmp_depend) == 24 && sizeof(struct span) == 24, "kmp_depend_info, kmp_dim");
_Static_assert(sizeof(struct kmp_taskred) == 56 && sizeof(struct kmp_taskred_old) == 48, "kmp_taskred_input");

/* ------------------------------------------------------------- the calling thread */

/* What a program calls before it can tell that it is served: the first of these reads KMP_*.  */
static inline void ghcomp_kmp_meet(void)
{
  if (unlikely(!load_relaxed(&ghcomp_llvm_came)))
    ghcomp_start_llvm();
}

/* What was said of the region, or league, that the thread starts now: once.  */
static inline struct thread_next ghcomp_kmp_take_next(struct thread *self)
{
  struct thread_next next = self->next_region;
  self->next_region = (struct thread_next){0};
  return next;
}

static inline int32_t ghcomp_kmp_gtid(const struct thread *self)
{
  return (int32_t)self->global_number;
}

#endif
