/* What the files about environment variables share: env_values.c (the syntax of each), env_show.c (its form in the
   displayed table), env_allocator.c, env_llvm.c, and those that use env_variables.h.  All others use icv.h.  */
#ifndef GHCOMP_SETTINGS_ENV_H
#define GHCOMP_SETTINGS_ENV_H

#include "base/text.h"
#include "settings/icv.h"

/* What the variables say: the settings, and values from which settings are derived.  */
struct env_values {
  struct settings settings;
  bool levels_given;     /* OMP_MAX_ACTIVE_LEVELS */
  bool nested_given, nested; /* OMP_NESTED, deprecated */
  bool bind_given;       /* OMP_PROC_BIND */
  bool stack_given;      /* OMP_STACKSIZE */
  bool device_given;     /* OMP_DEFAULT_DEVICE */
  const char *places;    /* OMP_PLACES, or NULL */
  const char *affinity;  /* GOMP_CPU_AFFINITY, or NULL */
  const char *allocator; /* OMP_ALLOCATOR in its usual spelling; NULL: the default */
  bool display, display_verbose; /* OMP_DISPLAY_ENV */
  const char *kmp_affinity; /* KMP_AFFINITY, or NULL */
  const char *helper_affinity; /* KMP_HIDDEN_HELPER_AFFINITY, or NULL */
  bool no_helpers;       /* LIBOMP_USE_HIDDEN_HELPER_TASK=0 */
  const char *hw_subset; /* KMP_HW_SUBSET, or NULL */
  bool kmp_settings, version; /* KMP_SETTINGS, KMP_VERSION: to be shown */
  int library;           /* KMP_LIBRARY: enum kmp_library, or 0 */
  const char *complaint; /* of a reader that can say what is wrong; else NULL */
};

/* Each reads the text of one variable.  False: the text is not what the variable expects, and
   *values may be partly written.  Lists and texts that are kept are allocated, and stay until the
   process ends.  */
typedef bool env_reader(const char *text, struct env_values *values);
env_reader ghcomp_env_read_affinity, ghcomp_env_read_affinity_format, ghcomp_env_read_allocator,
    ghcomp_env_read_anything, ghcomp_env_read_cancellation, ghcomp_env_read_debug,
    ghcomp_env_read_default_device, ghcomp_env_read_display_affinity, ghcomp_env_read_display_env,
    ghcomp_env_read_dynamic, ghcomp_env_read_gomp_stack_size, ghcomp_env_read_max_active_levels,
    ghcomp_env_read_max_task_priority, ghcomp_env_read_nested, ghcomp_env_read_num_teams,
    ghcomp_env_read_num_threads, ghcomp_env_read_places, ghcomp_env_read_proc_bind,
    ghcomp_env_read_schedule, ghcomp_env_read_spin_count, ghcomp_env_read_stack_size,
    ghcomp_env_read_target_offload, ghcomp_env_read_teams_thread_limit,
    ghcomp_env_read_thread_limit, ghcomp_env_read_tree, ghcomp_env_read_turns, ghcomp_env_read_refused_threads, ghcomp_env_read_wait_policy;
env_reader ghcomp_env_read_hw_subset, ghcomp_env_read_teams_total, ghcomp_env_read_teams_bind, ghcomp_env_read_block_time, ghcomp_env_read_kmp_buffers, ghcomp_env_read_kmp_affinity, ghcomp_env_read_kmp_settings,
    ghcomp_env_read_kmp_stack_size, ghcomp_env_read_kmp_thread_limit,
    ghcomp_env_read_helper_affinity, ghcomp_env_read_helpers,
    ghcomp_env_read_uses_helpers, ghcomp_env_read_kmp_version, ghcomp_env_read_library, ghcomp_env_read_inherit_modes, ghcomp_env_read_throttling, ghcomp_env_read_warnings;

/* Each writes the value of one variable as in the table, without quotes.  */
typedef void env_shower(struct text *out, const struct env_values *values);
env_shower ghcomp_env_show_affinity, ghcomp_env_show_affinity_format, ghcomp_env_show_allocator,
    ghcomp_env_show_cancellation, ghcomp_env_show_default_device,
    ghcomp_env_show_display_affinity, ghcomp_env_show_dynamic, ghcomp_env_show_max_active_levels,
    ghcomp_env_show_max_task_priority, ghcomp_env_show_nested, ghcomp_env_show_num_teams,
    ghcomp_env_show_num_threads, ghcomp_env_show_places, ghcomp_env_show_proc_bind,
    ghcomp_env_show_schedule, ghcomp_env_show_spin_count, ghcomp_env_show_stack_size,
    ghcomp_env_show_substrate, ghcomp_env_show_target_offload,
    ghcomp_env_show_teams_thread_limit, ghcomp_env_show_thread_limit, ghcomp_env_show_tree,
    ghcomp_env_show_turns, ghcomp_env_show_refused_threads, ghcomp_env_show_wait_policy;

env_shower ghcomp_env_show_helper_affinity, ghcomp_env_show_helpers, ghcomp_env_show_uses_helpers, ghcomp_env_show_block_time, ghcomp_env_show_hw_subset, ghcomp_env_show_kmp_affinity,
    ghcomp_env_show_library, ghcomp_env_show_teams_bind, ghcomp_env_show_teams_total, ghcomp_env_show_inherit_modes, ghcomp_env_show_throttling,
    ghcomp_env_show_warnings;

/* Of env_llvm.c: true or false, and a size (K where no unit is given), in all forms that LLVM's runtime takes.  */
bool ghcomp_env_read_llvm_truth(const char *text, bool *out);
bool ghcomp_env_read_llvm_size(const char *text, unsigned long long *out);
/* "NAME=..." has a name as LLVM's and Intel's runtimes give them.  */
bool ghcomp_env_is_llvm_name(const char *entry);
/* Names in one message those of the environment that have no row.  */
void ghcomp_env_llvm_say_unknown(bool (*has_row)(const char *entry));
void ghcomp_env_llvm_say_version(void);
/* The places that LLVM's runtime takes for a text of OMP_PLACES (or NULL) that it does not understand.  */
const char *ghcomp_env_llvm_places_for(const char *text);
/* The places that KMP_AFFINITY's text means, and how to bind to them; false: none.  */
bool ghcomp_env_llvm_places(const char *text, unsigned char *bind, bool *bind_given);
/* What KMP_HIDDEN_HELPER_AFFINITY's text means.  */
void ghcomp_env_llvm_helper_places(const char *text);

/* Lines about this process and this library (env_show.c).  */
void ghcomp_env_show_about(struct text *out);

/* ------------------------------------------------------- affinity-format-var */

/* affinity-format-var: the text that OMP_AFFINITY_FORMAT or omp_set_affinity_format gave.  Spec: 5.2, 18.3.9.  */

/* Replaces the text.  */
void ghcomp_affinity_var_set(const char *format);

/* A copy, which the caller releases.  */
char *ghcomp_affinity_var_copy(void);

#endif
