/* The syntax of each environment variable.  Spec: 5.2, chapter 21.  Where the specification leaves
   a choice, this is as in libgomp; in a program of LLVM's compilers alone also what LLVM's runtime takes.  */
#include "base/memory.h"
#include "base/text.h"
#include "places/places.h"
#include "settings/env.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------ in general */

static bool read_int(const char *text, int least, int *out)
{
  unsigned long long value;
  if (!ghcomp_parse_number(text, (unsigned long long)least, INT_MAX, &value))
    return false;
  *out = (int)value;
  return true;
}

static bool read_truth(const char *text, const struct env_values *v, bool *out)
{
  return v->settings.like_llvm ? ghcomp_env_read_llvm_truth(text, out) : ghcomp_parse_bool(text, out);
}

bool ghcomp_env_read_default_device(const char *text, struct env_values *v)
{
  v->device_given = true;
  return read_int(text, 0, &v->settings.initial.default_device);
}

bool ghcomp_env_read_max_task_priority(const char *text, struct env_values *v)
{
  return read_int(text, 0, &v->settings.max_task_priority);
}

bool ghcomp_env_read_num_teams(const char *text, struct env_values *v)
{
  return read_int(text, 1, &v->settings.num_teams);
}

bool ghcomp_env_read_teams_thread_limit(const char *text, struct env_values *v)
{
  return read_int(text, 1, &v->settings.teams_thread_limit);
}

bool ghcomp_env_read_debug(const char *text, struct env_values *v)
{
  int unused; /* there are no messages to turn on */
  (void)v;
  return read_int(text, 0, &unused);
}

bool ghcomp_env_read_tree(const char *text, struct env_values *v)
{
  v->settings.tree_given = true;
  return read_int(text, 0, (int *)&v->settings.tree_least_size);
}

bool ghcomp_env_read_turns(const char *text, struct env_values *v)
{
  static const char *const words[] = {"on", "off", NULL};
  unsigned which;
  if (!ghcomp_parse_word(text, words, &which))
    return false;
  v->settings.no_turns = which == 1;
  return true;
}

bool ghcomp_env_read_refused_threads(const char *text, struct env_values *v)
{
  static const char *const words[] = {"fewer", "end", NULL};
  unsigned which;
  if (!ghcomp_parse_word(text, words, &which))
    return false;
  v->settings.refused_ends = which == 1;
  return true;
}

bool ghcomp_env_read_dynamic(const char *text, struct env_values *v)
{
  bool dynamic;
  bool ok = read_truth(text, v, &dynamic);
  v->settings.initial.dynamic = ok && dynamic ? DYNAMIC_TRUE : DYNAMIC_FALSE;
  return ok;
}

bool ghcomp_env_read_cancellation(const char *text, struct env_values *v)
{
  return read_truth(text, v, &v->settings.cancellation);
}

bool ghcomp_env_read_display_affinity(const char *text, struct env_values *v)
{
  return read_truth(text, v, &v->settings.display_affinity);
}

bool ghcomp_env_read_anything(const char *text, struct env_values *v)
{
  (void)text;
  (void)v;
  return true;
}

/* --------------------------------------------------------------------- threads */

static bool item_threads(void *list, size_t i, const char *text)
{
  return read_int(text, 1, (int *)list + i);
}

bool ghcomp_env_read_num_threads(const char *text, struct env_values *v)
{
  size_t length = ghcomp_parse_length(text);
  unsigned *list = ghcomp_memory_get(length * sizeof *list);
  if (!ghcomp_parse_list(text, item_threads, list)) {
    ghcomp_memory_release(list);
    return false;
  }
  v->settings.initial.nthreads = list[0];
  v->settings.nthreads_list = list;
  v->settings.nthreads_list_length = (unsigned)length;
  return true;
}

/* Any positive number.  A number that is too large to count means no limit.  */
bool ghcomp_env_read_thread_limit(const char *text, struct env_values *v)
{
  unsigned long long limit;
  if (!ghcomp_parse_number(text, 1, ULLONG_MAX, &limit))
    return false;
  v->settings.initial.thread_limit = limit > INT_MAX ? UINT_MAX : (unsigned)limit;
  return true;
}

bool ghcomp_env_read_max_active_levels(const char *text, struct env_values *v)
{
  unsigned long long levels;
  if (!ghcomp_parse_number(text, 0, ULLONG_MAX, &levels))
    return false;
  v->settings.initial.max_active_levels =
      (unsigned char)(levels < MAX_ACTIVE_LEVELS ? levels : MAX_ACTIVE_LEVELS);
  v->levels_given = true;
  return true;
}

bool ghcomp_env_read_nested(const char *text, struct env_values *v)
{
  v->nested_given = true;
  return read_truth(text, v, &v->nested);
}

static bool read_stack(const char *text, const struct env_values *v, size_t *out)
{
  unsigned long long size;
  bool ok = v->settings.like_llvm ? ghcomp_env_read_llvm_size(text, &size) : ghcomp_parse_size(text, &size);
  if (!ok || size < GHCOMP_LEAST_STACK || size > PTRDIFF_MAX)
    return false;
  *out = (size_t)size;
  return true;
}

bool ghcomp_env_read_stack_size(const char *text, struct env_values *v)
{
  v->stack_given = true;
  return read_stack(text, v, &v->settings.stack_size);
}

/* The older name counts if the standard's name gives nothing.  */
bool ghcomp_env_read_gomp_stack_size(const char *text, struct env_values *v)
{
  size_t ignored;
  return read_stack(text, v, v->stack_given ? &ignored : &v->settings.stack_size);
}

bool ghcomp_env_read_wait_policy(const char *text, struct env_values *v)
{
  static const char *const words[] = {"passive", "active", NULL};
  unsigned which;
  if (!ghcomp_parse_word(text, words, &which))
    return false;
  v->settings.wait_policy = (int)which;
  return true;
}

bool ghcomp_env_read_spin_count(const char *text, struct env_values *v)
{
  if (!ghcomp_parse_count(text, &v->settings.spin_count))
    return false;
  v->settings.spin_count_set = true;
  return true;
}

/* ------------------------------------------------------------------------ loops */

/* [modifier:]kind, the kind as enum schedule_kind.  */
static bool read_kind(char *text, bool like_llvm, unsigned *kind, bool *monotonic)
{
  static const char *const modifiers[] = {"nonmonotonic", "monotonic", NULL};
  static const char *const kinds[] = {"static", "dynamic", "guided", "auto", "trapezoidal", "static_steal", NULL};
  static const unsigned char values[] = {SCHEDULE_STATIC, SCHEDULE_DYNAMIC, SCHEDULE_GUIDED, SCHEDULE_AUTO,
                                         SCHEDULE_TRAPEZOIDAL, SCHEDULE_DYNAMIC};
  unsigned which, modifier = 0;
  char *colon = strchr(text, ':');
  if (colon != NULL) {
    *colon = '\0';
    if (!ghcomp_parse_word(text, modifiers, &modifier))
      return false;
    text = colon + 1;
  }
  if (!ghcomp_parse_word(text, kinds, &which))
    return false;
  if (which >= SCHEDULE_AUTO && !like_llvm)
    return false;
  *kind = values[which];
  /* static is monotonic unless it says otherwise (5.2, 11.5.3); libgomp tells so, LLVM's runtime does not */
  *monotonic = colon != NULL ? modifier == 1 : *kind == SCHEDULE_STATIC && !like_llvm;
  return true;
}

/* A chunk of 0 means none, as programs for libgomp expect.  */
bool ghcomp_env_read_schedule(const char *text, struct env_values *v)
{
  char copy[128];
  unsigned kind;
  bool monotonic;
  int chunk = 0;
  if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
    return false;
  char *comma = strchr(copy, ',');
  if (comma != NULL)
    *comma++ = '\0';
  if (!read_kind(copy, v->settings.like_llvm, &kind, &monotonic) || (comma != NULL && !read_int(comma, 0, &chunk)))
    return false;
  v->settings.initial.run_schedule = kind | (monotonic ? SCHEDULE_MONOTONIC : 0);
  v->settings.initial.run_chunk = chunk == 0 && kind != SCHEDULE_STATIC ? 1 : chunk;
  return true;
}

/* --------------------------------------------------------------------- binding */

static bool item_bind(void *list, size_t i, const char *text)
{
  static const char *const words[] = {"primary", "master", "close", "spread", NULL};
  static const unsigned char values[] = {BIND_PRIMARY, BIND_PRIMARY, BIND_CLOSE, BIND_SPREAD};
  unsigned which;
  if (!ghcomp_parse_word(text, words, &which))
    return false;
  ((unsigned char *)list)[i] = values[which];
  return true;
}

/* LLVM's runtime also takes the values of omp_proc_bind_t.  */
static bool item_bind_of_llvm(void *list, size_t i, const char *text)
{
  unsigned long long number;
  if (!ghcomp_parse_number(text, BIND_PRIMARY, BIND_SPREAD, &number))
    return item_bind(list, i, text);
  ((unsigned char *)list)[i] = (unsigned char)number;
  return true;
}

/* OMP_PROC_BIND as a whole says whether threads are bound.  */
static bool read_bound(const char *text, const struct env_values *v, bool *out)
{
  static const char *const words[] = {"0", "1", "disabled", NULL};
  unsigned which;
  if (ghcomp_parse_bool(text, out))
    return true;
  if (!v->settings.like_llvm || !ghcomp_parse_word(text, words, &which))
    return false;
  *out = which == 1;
  return true;
}

/* KMP_TEAMS_PROC_BIND  */
bool ghcomp_env_read_teams_bind(const char *text, struct env_values *v)
{
  return item_bind(&v->settings.teams_bind, 0, text);
}

bool ghcomp_env_read_proc_bind(const char *text, struct env_values *v)
{
  struct settings *s = &v->settings;
  bool on;
  v->bind_given = true;
  if (read_bound(text, v, &on)) {
    s->initial.bind = on ? BIND_TRUE : BIND_FALSE;
    s->bind_list_length = 0;
    return true;
  }
  size_t length = ghcomp_parse_length(text);
  unsigned char *list = ghcomp_memory_get(length);
  if (!ghcomp_parse_list(text, s->like_llvm ? item_bind_of_llvm : item_bind, list)) {
    ghcomp_memory_release(list);
    return false;
  }
  s->initial.bind = list[0];
  s->bind_list = list;
  s->bind_list_length = (unsigned)length;
  return true;
}

/* The list is made and checked when all variables have been read.  */
bool ghcomp_env_read_places(const char *text, struct env_values *v)
{
  v->places = ghcomp_memory_copy_text(text);
  return true;
}

bool ghcomp_env_read_affinity(const char *text, struct env_values *v)
{
  v->affinity = ghcomp_memory_copy_text(text);
  return true;
}

bool ghcomp_env_read_affinity_format(const char *text, struct env_values *v)
{
  if (!ghcomp_affinity_format_valid(text))
    return false;
  v->settings.affinity_format = ghcomp_memory_copy_text(text);
  return true;
}

/* ---------------------------------------------------------------------- others */

bool ghcomp_env_read_target_offload(const char *text, struct env_values *v)
{
  static const char *const words[] = {"default", "mandatory", "disabled", NULL};
  unsigned which;
  if (!ghcomp_parse_word(text, words, &which))
    return false;
  v->settings.target_offload = (int)which; /* enum target_offload */
  return true;
}

bool ghcomp_env_read_display_env(const char *text, struct env_values *v)
{
  static const char *const words[] = {"verbose", NULL};
  unsigned which;
  v->display_verbose = ghcomp_parse_word(text, words, &which);
  if (!v->display_verbose)
    return read_truth(text, v, &v->display);
  v->display = true;
  return true;
}
