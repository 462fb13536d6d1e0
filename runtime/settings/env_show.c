/* The value of each environment variable, in the form of the OMP_DISPLAY_ENV table.  The spellings
   are libgomp's.  */
#include "base/inside.h"
#include "base/memory.h"

#include "base/message.h"
#include "machine/process.h"
#include "places/places.h"
#include "settings/env.h"
#include "threads/host.h"
#include "threads/substrate.h"

#include <stdlib.h>
#include <string.h>

static void show_bool(struct text *out, bool value)
{
  ghcomp_text_print(out, "%s", value ? "TRUE" : "FALSE");
}

void ghcomp_env_show_dynamic(struct text *out, const struct env_values *v)
{
  show_bool(out, ghcomp_icv_is_dynamic(&v->settings.initial));
}

void ghcomp_env_show_nested(struct text *out, const struct env_values *v)
{
  show_bool(out, v->settings.initial.max_active_levels > 1);
}

void ghcomp_env_show_cancellation(struct text *out, const struct env_values *v)
{
  show_bool(out, v->settings.cancellation);
}

void ghcomp_env_show_display_affinity(struct text *out, const struct env_values *v)
{
  show_bool(out, v->settings.display_affinity);
}

void ghcomp_env_show_stack_size(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%zu", v->settings.stack_size);
}

void ghcomp_env_show_wait_policy(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->settings.wait_policy == 1 ? "ACTIVE" : "PASSIVE");
}

void ghcomp_env_show_thread_limit(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%u", v->settings.initial.thread_limit);
}

void ghcomp_env_show_max_active_levels(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%d", v->settings.initial.max_active_levels);
}

void ghcomp_env_show_num_teams(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%d", v->settings.num_teams);
}

void ghcomp_env_show_teams_thread_limit(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%d", v->settings.teams_thread_limit);
}

void ghcomp_env_show_default_device(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%d", v->settings.initial.default_device);
}

void ghcomp_env_show_max_task_priority(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%d", v->settings.max_task_priority);
}

void ghcomp_env_show_affinity_format(struct text *out, const struct env_values *v)
{
  ghcomp_text_put(out, v->settings.affinity_format, strlen(v->settings.affinity_format));
}

void ghcomp_env_show_allocator(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->allocator != NULL ? v->allocator : "omp_default_mem_alloc");
}

void ghcomp_env_show_target_offload(struct text *out, const struct env_values *v)
{
  static const char *const names[] = {"DEFAULT", "MANDATORY", "DISABLED"};
  ghcomp_text_print(out, "%s", names[v->settings.target_offload]);
}

void ghcomp_env_show_affinity(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->affinity != NULL ? v->affinity : "");
}

/* If no variable set a count, parking.c has the one in force.  */
void ghcomp_env_show_spin_count(struct text *out, const struct env_values *v)
{
  if (v->settings.spin_count_set)
    ghcomp_text_print(out, "%llu", v->settings.spin_count);
  else
    ghcomp_text_print(out, "DEFAULT");
}

/* If no variable set a size, gather.c has the usual one.  */
void ghcomp_env_show_tree(struct text *out, const struct env_values *v)
{
  if (v->settings.tree_given)
    ghcomp_text_print(out, "%u", v->settings.tree_least_size);
  else
    ghcomp_text_print(out, "DEFAULT");
}

void ghcomp_env_show_turns(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->settings.no_turns ? "off" : "on");
}

void ghcomp_env_show_refused_threads(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->settings.refused_ends ? "end" : "fewer");
}

/* Not a setting: the substrate reads and checks its variable itself.  */
void ghcomp_env_show_substrate(struct text *out, const struct env_values *v)
{
  const char *text = getenv("GHCOMP_SUBSTRATE");
  (void)v;
  ghcomp_text_print(out, "%s", text != NULL ? text : "ghc");
}

/* nthreads-var, or the whole list.  */
void ghcomp_env_show_num_threads(struct text *out, const struct env_values *v)
{
  const struct settings *s = &v->settings;
  unsigned first = s->initial.nthreads;
  ghcomp_text_print(out, "%u", first != 0 ? first : ghcomp_icv_default_threads());
  for (unsigned i = 1; i < s->nthreads_list_length; i++)
    ghcomp_text_print(out, ",%u", s->nthreads_list[i]);
}

static const char *const bind_names[] = {"FALSE", "TRUE", "MASTER", "CLOSE", "SPREAD"};

void ghcomp_env_show_teams_bind(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", bind_names[v->settings.teams_bind]);
}

void ghcomp_env_show_proc_bind(struct text *out, const struct env_values *v)
{
  const char *const *names = bind_names;
  const struct settings *s = &v->settings;
  ghcomp_text_print(out, "%s", names[s->initial.bind]);
  for (unsigned i = 1; i < s->bind_list_length; i++)
    ghcomp_text_print(out, ",%s", names[s->bind_list[i]]);
}

/* The modifier and the chunk are shown only if they are not the kind's defaults.  */
void ghcomp_env_show_schedule(struct text *out, const struct env_values *v)
{
  static const char *const names[] = {"", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  const struct icv *icv = &v->settings.initial;
  unsigned kind = icv->run_schedule & ~SCHEDULE_MONOTONIC;
  bool monotonic = (icv->run_schedule & SCHEDULE_MONOTONIC) != 0;
  if (kind == SCHEDULE_STATIC && !monotonic && !v->settings.like_llvm)
    ghcomp_text_print(out, "NONMONOTONIC:");
  if (kind != SCHEDULE_STATIC && monotonic)
    ghcomp_text_print(out, "MONOTONIC:");
  ghcomp_text_print(out, "%s", kind == SCHEDULE_TRAPEZOIDAL ? "TRAPEZOIDAL" : names[kind]);
  if (kind != SCHEDULE_AUTO && icv->run_chunk != (kind == SCHEDULE_STATIC ? 0 : 1))
    ghcomp_text_print(out, ",%d", icv->run_chunk);
}

void ghcomp_env_show_places(struct text *out, const struct env_values *v)
{
  (void)v;
  size_t size = ghcomp_places_print(NULL, 0) + 1;
  char *places = ghcomp_memory_get(size);
  ghcomp_places_print(places, size);
  ghcomp_text_print(out, "%s", places);
  ghcomp_memory_release(places);
}

/* --------------------------------------------- this process and this library */

/* What the verbose table says of the process and of this library: facts, in the manner of _OPENMP,
   which no variable sets.  While the library is loaded, no substrate has started; omp_display_env
   shows the one in force.  */

static void show_library(struct text *out)
{
  ghcomp_inside_begin(); /* the C library allocates */
  char *path = ghcomp_load_own_path();
  ghcomp_inside_end();
  ghcomp_text_print(out, "  _GHCOMP_LIBRARY = '%s'\n", path != NULL ? path : "not known: /proc is not there");
  ghcomp_memory_release(path);
}

void ghcomp_env_show_about(struct text *out)
{
  const struct substrate *substrate = ghcomp_substrate_current();
  ghcomp_text_print(out, "  _GHCOMP_VERSION = '%s'\n", ghcomp_version_of_project);
  show_library(out);
  ghcomp_text_print(out, "  _GHCOMP_PROCESS = '%d'\n", ghcomp_machine_process());
  ghcomp_text_print(out, "  _GHCOMP_SUBSTRATE = '%s'\n",
                    substrate != NULL ? substrate->describe()
                                      : "not started: no region has needed a second thread");
}
