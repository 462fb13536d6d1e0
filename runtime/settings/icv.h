/* Internal control variables (OpenMP 5.2, chapter 2).

   There are two groups.  `struct icv` holds the variables whose scope is a data environment.  Every
   task has a pointer to one, which it inherits from its parent.  An omp_set_* call replaces the
   struct if a child may use it: see lineage.h.  `ghcomp_settings` holds the variables with device
   or global scope. env.c fills it once, before main, and the few omp_set_* calls of that scope
   write it.  */
#ifndef GHCOMP_SETTINGS_ICV_H
#define GHCOMP_SETTINGS_ICV_H

#include "machine/process.h"
#include "places/places.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MAX_ACTIVE_LEVELS 255 /* supported-active-levels-var, as libgomp's */

/* Kinds, with the numbers of the compiler and omp.h (omp_sched_t).  The top bit is the compiler's
   monotonic modifier.  */
enum schedule_kind {
  SCHEDULE_STATIC = 1,
  SCHEDULE_DYNAMIC = 2,
  SCHEDULE_GUIDED = 3,
  SCHEDULE_AUTO = 4,
  SCHEDULE_TRAPEZOIDAL = 101, /* LLVM's own, by OMP_SCHEDULE: guided is its like */
};
#define SCHEDULE_MONOTONIC 0x80000000u
#define SCHEDULE_ANY_ORDER 0x40000000u /* used inside the runtime: chunks may come in any order */

enum target_offload { OFFLOAD_DEFAULT, OFFLOAD_MANDATORY, OFFLOAD_DISABLED };

/* Device numbers with a special meaning; 0 is the host here.  Spec: 6.0, 4.3.8 and omp.h.  */
enum device_number {
  DEVICE_INITIAL = -1, /* omp_initial_device, the host */
  DEVICE_INVALID = -4, /* omp_invalid_device */
  DEVICE_DEFAULT = -5, /* omp_default_device, what default-device-var says */
};

/* Scope: data environment.  The owner task and tasks below it read the struct.  It is not written
   after a second task points to it.  */
struct icv {
  unsigned nthreads;          /* nthreads-var; 0 means "not set": the default team size */
  unsigned thread_limit;      /* thread-limit-var; UINT_MAX means none */
  unsigned run_schedule;      /* run-sched-var: a schedule_kind, perhaps | SCHEDULE_MONOTONIC */
  int run_chunk;              /* its chunk; 0: none was given */
  int default_device;         /* default-device-var */
  unsigned char max_active_levels; /* max-active-levels-var */
  unsigned char bind;         /* bind-var for the next region: a proc_bind */
  unsigned char dynamic;      /* dyn-var: an enum dynamic_setting */
  unsigned inner_levels;      /* of the next field; 0 outside regions with such a clause */
  const int *inner_threads;   /* num_threads with a list: nthreads-var inside the next region, by level */
  uintptr_t default_allocator; /* def-allocator-var: an omp_allocator_handle_t */
};

/* DYNAMIC_BY_HOST: not set.  That means false in a C program, and true in a Haskell program, whose
   Haskell threads want processors, too.  */
enum dynamic_setting { DYNAMIC_FALSE, DYNAMIC_TRUE, DYNAMIC_BY_HOST };

/* Scope: device or global.  */
struct settings {
  struct icv initial;             /* what the initial task starts with */

  unsigned *nthreads_list;        /* OMP_NUM_THREADS=a,b,c: [0] is initial.nthreads */
  unsigned nthreads_list_length;  /* 0 or 1: there is no list */
  unsigned char *bind_list;       /* OMP_PROC_BIND=spread,close: likewise */
  unsigned bind_list_length;
  unsigned listed_levels;         /* the greater of the two lengths */

  bool cancellation;              /* cancel-var */
  int max_task_priority;          /* max-task-priority-var */
  int wait_policy;                /* wait-policy-var: -1 not set, 0 passive, 1 active */
  unsigned long long spin_count;  /* GOMP_SPINCOUNT; valid when spin_count_set */
  bool spin_count_set;
  size_t stack_size;              /* stacksize-var in bytes; 0 means the system's default */
  int num_teams;                  /* nteams-var; 0 means not set */
  int teams_thread_limit;         /* teams-thread-limit-var; 0 means not set */
  int target_offload;             /* target-offload-var: enum target_offload */
  bool display_affinity;          /* display-affinity-var */
  const char *affinity_format;    /* the first value of affinity-format-var: see env.h */
  uint64_t block_time;            /* KMP_BLOCKTIME in microseconds, or one of the two below */
  int teams_total;                /* KMP_TEAMS_THREAD_LIMIT: threads of all teams of a league; 0 means not set */
  unsigned char teams_bind;       /* KMP_TEAMS_PROC_BIND: a proc_bind for the teams of a league; BIND_FALSE: none */
  bool warnings;                  /* KMP_WARNINGS */
  bool keeps_modes;               /* KMP_INHERIT_FP_CONTROL=0: workers do not follow the floating-point modes of their master */
  bool defers_all_tasks;          /* KMP_ENABLE_TASK_THROTTLING=0: the creator of tasks executes none of them meanwhile */
  unsigned helpers;               /* so many tasks for a device have numbers of their own at a time */
  bool helpers_given;             /* by LIBOMP_NUM_HIDDEN_HELPER_THREADS or LIBOMP_USE_HIDDEN_HELPER_TASK */
  bool like_llvm;                 /* the program has no code of GCC's: defaults and displays are LLVM's */
  unsigned tree_least_size;       /* GHCOMP_TREE: see gather.md; valid when tree_given */
  bool tree_given;
  bool no_turns;                  /* GHCOMP_TURNS=off: see admission/turns.md */
  bool refused_ends;              /* GHCOMP_REFUSED_THREADS=end: a region that is refused threads ends the program */
};

/* 200 milliseconds are what LLVM's runtime has where nobody said anything; a program that asks for them wants the
   usual, and so does one that sets what it found.  INT_MAX of them are for ever.  */
#define BLOCK_TIME_USUAL UINT64_MAX
#define BLOCK_TIME_INFINITE (UINT64_MAX - 1)
#define BLOCK_TIME_USUAL_MS 200

/* `time` in units of so many microseconds.  */
static inline uint64_t ghcomp_settings_block_time(unsigned long long time, unsigned long long unit)
{
  if (unit == 1000 && time == BLOCK_TIME_USUAL_MS)
    return BLOCK_TIME_USUAL;
  return unit == 1000 && time >= INT32_MAX ? BLOCK_TIME_INFINITE : time * unit;
}

enum kmp_library { KMP_LIBRARY_SERIAL = 1, KMP_LIBRARY_TURNAROUND, KMP_LIBRARY_THROUGHPUT };

enum { USUAL_HELPERS = 8 }; /* LLVM's */

#define GHCOMP_LEAST_STACK 16384 /* of a thread; less is refused by the system */

extern struct settings ghcomp_settings;

/* Reads the environment into ghcomp_settings; called once, by the library's
   constructor.  A value that cannot be used is named in one message together
   with what is used instead.  Shows the table when OMP_DISPLAY_ENV asks.
   `need`: code of LLVM's or Intel's compilers is served, so KMP_* count too; it is served
   alone, so what nobody set is as in its own runtime.
   Spec: 5.2, chapter 21.  */
void ghcomp_env_read(enum llvm_need need);

/* Such code is served from now on: reads of KMP_* what can still take effect, unless
   it was read before.  Called once.  */
void ghcomp_env_read_late(void);

/* Sets variables by a text "NAME=VALUE|NAME=VALUE", as from now on; those of a data
   environment in *icv, the caller's own.  What cannot be used gets a message.  */
void ghcomp_env_set(const char *text, struct icv *icv);

/* Prints the OMP_DISPLAY_ENV table to standard error.  verbose adds the
   GOMP_* variables.  */
void ghcomp_env_display(bool verbose);

/* Threads of a region without num_threads if nthreads-var is not set: the Capabilities of a Haskell
   host; otherwise the processors that affinity mask and CPU quota allow.  At least 1.  */
unsigned ghcomp_icv_default_threads(void);

/* The most threads of a region without num_threads.  */
static inline unsigned ghcomp_icv_max_threads(const struct icv *icv)
{
  return icv->nthreads != 0 ? icv->nthreads : ghcomp_icv_default_threads();
}

/* True: a Haskell program.  Its regions share one pool of workers, and follow the processors that are free unless dyn-var says
   otherwise.  Elsewhere each master has a team of its own.  */
bool ghcomp_icv_host_shares(void);

/* True: a region may have fewer threads than requested.  */
bool ghcomp_icv_is_dynamic(const struct icv *icv);

#endif
