/* kmp_*: settings of LLVM's and Intel's runtimes, in C (by value), and in Fortran (name_, by reference).

   kmpc_* and ompc_* are older names for C, by value too.  */
#include "abi/kmp/kmp.h"
#include "machine/thread.h"
#include "settings/env.h"
#include "task/lineage.h"
#include "team/pool.h"
#include "team/team.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

ENTRY_POINTS(kmp_settings);

static struct icv *own_icv(void)
{
  return ghcomp_icv_scope_own(ghcomp_self());
}

/* --------------------------------------------------------- how long a thread waits */

EXPORT int kmp_get_blocktime(void)
{
  ghcomp_start_once();
  uint64_t time = ghcomp_settings.block_time;
  if (time == BLOCK_TIME_USUAL && ghcomp_settings.wait_policy >= 0)
    return ghcomp_settings.wait_policy == 1 ? INT_MAX : 0;
  if (time == BLOCK_TIME_USUAL)
    return BLOCK_TIME_USUAL_MS;
  return time / 1000 < INT_MAX ? (int)(time / 1000) : INT_MAX;
}

EXPORT void kmp_set_blocktime(int milliseconds)
{
  ghcomp_kmp_meet();
  ghcomp_start_once();
  ghcomp_settings.block_time = ghcomp_settings_block_time(milliseconds > 0 ? (unsigned)milliseconds : 0, 1000);
  ghcomp_start_block_time();
}

/* The library of the name is a manner of waiting, and `serial` one thread for everything.  */
static int library = KMP_LIBRARY_THROUGHPUT;

EXPORT int kmp_get_library(void)
{
  return library;
}

EXPORT void kmp_set_library(int kind)
{
  if (kind < KMP_LIBRARY_SERIAL || kind > KMP_LIBRARY_THROUGHPUT)
    return;
  if (kind == KMP_LIBRARY_SERIAL || library == KMP_LIBRARY_SERIAL)
    own_icv()->nthreads = kind == KMP_LIBRARY_SERIAL ? 1 : 0;
  if (kind == KMP_LIBRARY_TURNAROUND)
    kmp_set_blocktime(INT_MAX);
  else if (library == KMP_LIBRARY_TURNAROUND)
    kmp_set_blocktime(BLOCK_TIME_USUAL_MS);
  library = kind;
}

EXPORT void kmp_set_library_serial(void)
{
  kmp_set_library(KMP_LIBRARY_SERIAL);
}

EXPORT void kmp_set_library_turnaround(void)
{
  kmp_set_library(KMP_LIBRARY_TURNAROUND);
}

EXPORT void kmp_set_library_throughput(void)
{
  kmp_set_library(KMP_LIBRARY_THROUGHPUT);
}

/* -------------------------------------------------------------------------- stacks */

EXPORT size_t kmp_get_stacksize_s(void)
{
  ghcomp_start_once();
  return ghcomp_settings.stack_size != 0 ? ghcomp_settings.stack_size : ghcomp_machine_usual_stack();
}

EXPORT int kmp_get_stacksize(void)
{
  size_t size = kmp_get_stacksize_s();
  return size < INT_MAX ? (int)size : INT_MAX;
}

/* Of threads that are started from now on; a size that is too small is the least.  */
EXPORT void kmp_set_stacksize_s(size_t size)
{
  ghcomp_start_once();
  ghcomp_settings.stack_size = size < GHCOMP_LEAST_STACK ? GHCOMP_LEAST_STACK
                               : size > PTRDIFF_MAX      ? PTRDIFF_MAX
                                                         : size;
}

EXPORT void kmp_set_stacksize(int size)
{
  kmp_set_stacksize_s(size > 0 ? (size_t)size : 0);
}

/* -------------------------------------------------------------------------- others */

/* As many names and values as with the variables of the environment: "KMP_BLOCKTIME=0|OMP_DYNAMIC=true".  */
EXPORT void kmp_set_defaults(const char *text)
{
  ghcomp_kmp_meet();
  ghcomp_env_set(text, own_icv());
  ghcomp_start_block_time();
}

/* A team has as many positions among the loops as it needs.  */
EXPORT void kmp_set_disp_num_buffers(int count)
{
  (void)count;
}

EXPORT void kmp_set_warnings_on(void)
{
  ghcomp_start_once();
  ghcomp_settings.warnings = true;
}

EXPORT void kmp_set_warnings_off(void)
{
  ghcomp_start_once();
  ghcomp_settings.warnings = false;
}

EXPORT int kmp_get_num_known_threads(void)
{
  ghcomp_self(); /* the caller is one */
  return (int)ghcomp_pool_threads();
}

/* Has the innermost construct of the kind been cancelled?  1 parallel, 2 loop, 3 sections, 4 taskgroup.  */
EXPORT int kmp_get_cancellation_status(int kind)
{
  return kind >= 1 && kind <= 4 && ghcomp_cancel_check(ghcomp_self(), 1 << (kind - 1));
}

/* There are no tools.  */
EXPORT int omp_control_tool(int command, int modifier, void *argument)
{
  enum { NO_TOOL = -2 };
  (void)command, (void)modifier, (void)argument;
  return NO_TOOL;
}

/* --------------------------------------------------------------- what libraries call */

/* libomptarget: target-offload-var, as LLVM numbers it.  */
EXPORT int32_t __kmpc_get_target_offload(void)
{
  static const int numbers[] = {[OFFLOAD_DISABLED] = 0, [OFFLOAD_DEFAULT] = 1, [OFFLOAD_MANDATORY] = 2};
  ghcomp_start_once();
  return numbers[ghcomp_settings.target_offload];
}

EXPORT int32_t __kmpc_pause_resource(int32_t kind)
{
  return omp_pause_resource_all((omp_pause_resource_t)kind);
}

/* ------------------------------------------------------------------------- Fortran */

/* A character argument has its length behind; it may have no end of its own.  */
EXPORT void kmp_set_defaults_(const char *text, size_t length)
{
  char *copy = ghcomp_memory_get(length + 1);
  memcpy(copy, text, length);
  while (length > 0 && copy[length - 1] == ' ')
    length--;
  copy[length] = '\0';
  kmp_set_defaults(copy);
  ghcomp_memory_release(copy);
}

#define SETTER(name)                                                                   \
  EXPORT void name##_(const int32_t *value)                                            \
  {                                                                                    \
    name(*value);                                                                      \
  }
#define CALL(name)                                                                     \
  EXPORT void name##_(void)                                                            \
  {                                                                                    \
    name();                                                                            \
  }
#define GETTER(type, name)                                                             \
  EXPORT type name##_(void)                                                            \
  {                                                                                    \
    return name();                                                                     \
  }

SETTER(kmp_set_blocktime)
SETTER(kmp_set_library)
SETTER(kmp_set_stacksize)
SETTER(kmp_set_disp_num_buffers)
CALL(kmp_set_library_serial)
CALL(kmp_set_library_turnaround)
CALL(kmp_set_library_throughput)
CALL(kmp_set_warnings_on)
CALL(kmp_set_warnings_off)
GETTER(int32_t, kmp_get_blocktime)
GETTER(int32_t, kmp_get_library)
GETTER(int32_t, kmp_get_stacksize)
GETTER(size_t, kmp_get_stacksize_s)
GETTER(int32_t, kmp_get_num_known_threads)

EXPORT void kmp_set_stacksize_s_(const size_t *size)
{
  kmp_set_stacksize_s(*size);
}

EXPORT int32_t kmp_get_cancellation_status_(const int32_t *kind)
{
  return kmp_get_cancellation_status(*kind);
}

EXPORT int32_t omp_control_tool_(const int32_t *command, const int32_t *modifier, void *argument)
{
  return omp_control_tool(*command, *modifier, argument);
}

/* ---------------------------------------------------------------- older names for C */

#define ALSO(name, other)                                                              \
  __asm__(".globl " #other "\n.type " #other ", %function\n.set " #other ", " #name)
ALSO(kmp_set_blocktime, kmpc_set_blocktime);
ALSO(kmp_set_library, kmpc_set_library);
ALSO(kmp_set_stacksize, kmpc_set_stacksize);
ALSO(kmp_set_stacksize_s, kmpc_set_stacksize_s);
ALSO(kmp_set_defaults, kmpc_set_defaults);
ALSO(kmp_set_disp_num_buffers, kmpc_set_disp_num_buffers);

#define OLDER_SETTER(name, type)                                                       \
  EXPORT void ompc_##name(type value)                                                  \
  {                                                                                    \
    omp_##name(value);                                                                 \
  }
OLDER_SETTER(set_num_threads, int)
OLDER_SETTER(set_dynamic, int)
OLDER_SETTER(set_nested, int)
OLDER_SETTER(set_max_active_levels, int)
OLDER_SETTER(set_affinity_format, const char *)

EXPORT void ompc_display_affinity(const char *format)
{
  ghcomp_kmp_display_affinity(format);
}

EXPORT void ompc_set_schedule(omp_sched_t kind, int chunk)
{
  omp_set_schedule(kind, chunk);
}

EXPORT int ompc_get_ancestor_thread_num(int level)
{
  return omp_get_ancestor_thread_num(level);
}

EXPORT int ompc_get_team_size(int level)
{
  return omp_get_team_size(level);
}

EXPORT size_t ompc_get_affinity_format(char *buffer, size_t size)
{
  return omp_get_affinity_format(buffer, size);
}

EXPORT size_t ompc_capture_affinity(char *buffer, size_t size, const char *format)
{
  return omp_capture_affinity(buffer, size, format);
}
