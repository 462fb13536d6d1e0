/* The environment variables of OpenMP 5.2 (chapter 21) and of libgomp.

   One row per variable: how to read it, how to say what was expected, how to
   show it.  A row with device forms is also read from NAME_ALL (the host's,
   where NAME is absent), NAME_DEV and NAME_DEV_n (checked and shown; there are no
   devices).  A value that cannot be used gets one message and changes nothing.  */
#include "core/env.h"

#include "base/message.h"
#include "core/env_parse.h"
#include "core/memory.h"
#include "core/places.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct settings ghcomp_settings;

extern char **environ;

/* Values of one variable for a device, kept for the display only.  */
struct device_value {
  const struct env_row *row;
  const char *scope; /* "all", "device" or a number */
  char *shown;
  struct device_value *next;
};
static struct device_value *device_values;

static struct {
  bool display, display_verbose;
  bool omp_stack_size, wait_policy_seen, levels_set, affinity_list;
  const char *places, *cpu_affinity;
  bool bind_set;
} seen;

/* --------------------------------------------------------------------- readers */

static bool read_unsigned(const char *text, unsigned least, unsigned most, unsigned *out)
{
  unsigned long long value;
  if (!ghcomp_env_parse_number(text, least, most, &value))
    return false;
  *out = (unsigned)value;
  return true;
}

static bool read_int(const char *text, int least, int *out)
{
  unsigned value;
  if (!read_unsigned(text, (unsigned)least, INT_MAX, &value))
    return false;
  *out = (int)value;
  return true;
}

/* Lists longer than the levels that can be active are pointless.  */
#define MOST_LISTED MAX_ACTIVE_LEVELS

static bool item_threads(void *list, unsigned i, const char *text)
{
  return read_unsigned(text, 1, INT_MAX, (unsigned *)list + i);
}

static void *keep(const void *list, size_t size)
{
  void *kept = ghcomp_memory_get(size);
  memcpy(kept, list, size);
  return kept;
}

static bool read_num_threads(const char *text, struct settings *s)
{
  unsigned list[MOST_LISTED], length;
  if (!ghcomp_env_parse_list(text, MOST_LISTED, item_threads, list, &length))
    return false;
  s->initial.nthreads = list[0];
  s->nthreads_list = keep(list, length * sizeof list[0]);
  s->nthreads_list_length = length > 1 ? length : 0;
  return true;
}

static bool item_bind(void *list, unsigned i, const char *text)
{
  static const char *const words[] = {"primary", "master", "close", "spread", NULL};
  static const unsigned char values[] = {BIND_PRIMARY, BIND_PRIMARY, BIND_CLOSE, BIND_SPREAD};
  unsigned which;
  if (!ghcomp_env_parse_word(text, words, &which))
    return false;
  ((unsigned char *)list)[i] = values[which];
  return true;
}

static bool read_proc_bind(const char *text, struct settings *s)
{
  unsigned char list[MOST_LISTED];
  unsigned length;
  bool on;
  if (ghcomp_env_parse_bool(text, &on)) {
    s->initial.bind = on ? BIND_TRUE : BIND_FALSE;
  } else {
    if (!ghcomp_env_parse_list(text, MOST_LISTED, item_bind, list, &length))
      return false;
    s->initial.bind = list[0];
    s->bind_list = keep(list, length);
    s->bind_list_length = length > 1 ? length : 0;
  }
  seen.bind_set = true;
  return true;
}

static bool read_dynamic(const char *text, struct settings *s)
{
  return ghcomp_env_parse_bool(text, &s->initial.dynamic);
}

static const char *const schedule_words[] = {"static", "dynamic", "guided", "auto", NULL};

static bool read_schedule(const char *text, struct settings *s)
{
  char copy[64];
  unsigned modifier = 2, kind;
  static const char *const modifiers[] = {"monotonic", "nonmonotonic", NULL};
  int chunk = 0;
  if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
    return false;
  char *comma = strchr(copy, ','), *colon = strchr(copy, ':'), *name = copy;
  if (comma != NULL)
    *comma++ = '\0';
  if (colon != NULL && (comma == NULL || colon < comma)) {
    *colon = '\0';
    name = colon + 1;
    if (!ghcomp_env_parse_word(copy, modifiers, &modifier))
      return false;
  }
  if (!ghcomp_env_parse_word(name, schedule_words, &kind) ||
      (comma != NULL && !read_int(comma, 1, &chunk)))
    return false;
  kind += SCHEDULE_STATIC;
  /* static is monotonic unless it says otherwise; 5.2, 11.5.3 */
  bool monotonic = modifier == 0 || (modifier == 2 && kind == SCHEDULE_STATIC);
  s->initial.run_schedule = kind | (monotonic ? SCHEDULE_MONOTONIC : 0);
  if (comma == NULL && (kind == SCHEDULE_DYNAMIC || kind == SCHEDULE_GUIDED))
    chunk = 1;
  s->initial.run_chunk = chunk;
  return true;
}

static bool read_stack_size(const char *text, struct settings *s)
{
  unsigned long long size;
  if (!ghcomp_env_parse_size(text, 1024, &size))
    return false;
  s->stack_size = (size_t)size;
  seen.omp_stack_size = true;
  return true;
}

/* The older name counts only where the standard's is absent.  */
static bool read_gomp_stack_size(const char *text, struct settings *s)
{
  struct settings other;
  if (seen.omp_stack_size)
    return read_stack_size(text, &other);
  bool ok = read_stack_size(text, s);
  seen.omp_stack_size = false;
  return ok;
}

static bool read_wait_policy(const char *text, struct settings *s)
{
  static const char *const words[] = {"passive", "active", NULL};
  unsigned which;
  if (!ghcomp_env_parse_word(text, words, &which))
    return false;
  s->wait_policy = (int)which;
  return true;
}

static bool read_spin_count(const char *text, struct settings *s)
{
  s->spin_count_set = ghcomp_env_parse_count(text, &s->spin_count);
  return s->spin_count_set;
}

static bool read_max_active_levels(const char *text, struct settings *s)
{
  unsigned levels;
  if (!read_unsigned(text, 0, INT_MAX, &levels))
    return false;
  s->initial.max_active_levels =
      (unsigned char)(levels < MAX_ACTIVE_LEVELS ? levels : MAX_ACTIVE_LEVELS);
  seen.levels_set = true;
  return true;
}

static bool read_nested(const char *text, struct settings *s)
{
  bool nested;
  if (!ghcomp_env_parse_bool(text, &nested))
    return false;
  if (!seen.levels_set)
    s->initial.max_active_levels = nested ? MAX_ACTIVE_LEVELS : 1;
  seen.levels_set = true;
  return true;
}

static bool read_thread_limit(const char *text, struct settings *s)
{
  return read_unsigned(text, 1, INT_MAX, &s->initial.thread_limit);
}

static bool read_cancellation(const char *text, struct settings *s)
{
  return ghcomp_env_parse_bool(text, &s->cancellation);
}

static bool read_default_device(const char *text, struct settings *s)
{
  return read_int(text, 0, &s->initial.default_device);
}

static bool read_max_task_priority(const char *text, struct settings *s)
{
  return read_int(text, 0, &s->max_task_priority);
}

static bool read_num_teams(const char *text, struct settings *s)
{
  return read_int(text, 1, &s->num_teams);
}

static bool read_teams_thread_limit(const char *text, struct settings *s)
{
  return read_int(text, 1, &s->teams_thread_limit);
}

static const char *const offload_words[] = {"default", "mandatory", "disabled", NULL};

static bool read_target_offload(const char *text, struct settings *s)
{
  unsigned which;
  if (!ghcomp_env_parse_word(text, offload_words, &which))
    return false;
  s->target_offload = (int)which;
  return true;
}

static bool read_display_affinity(const char *text, struct settings *s)
{
  return ghcomp_env_parse_bool(text, &s->display_affinity);
}

static bool read_affinity_format(const char *text, struct settings *s)
{
  if (*text == '\0')
    return false;
  s->affinity_format_length = strlen(text);
  s->affinity_format = keep(text, s->affinity_format_length + 1);
  return true;
}

static bool read_display_env(const char *text, struct settings *s)
{
  static const char *const words[] = {"false", "true", "verbose", "0", "1", NULL};
  unsigned which;
  (void)s;
  if (!ghcomp_env_parse_word(text, words, &which))
    return false;
  seen.display = which == 1 || which == 2 || which == 4;
  seen.display_verbose = which == 2;
  return true;
}

static bool read_debug(const char *text, struct settings *s)
{
  return read_int(text, 0, &s->debug);
}

static bool read_places(const char *text, struct settings *s)
{
  (void)s;
  seen.places = text;
  return true;
}

static bool read_cpu_affinity(const char *text, struct settings *s)
{
  (void)s;
  seen.cpu_affinity = text;
  return true;
}

/* Checked by the substrate when a thread is needed.  */
static bool read_nothing(const char *text, struct settings *s)
{
  (void)text;
  (void)s;
  return true;
}

/* ---------------------------------------------------------------------- showers */

/* Each writes the value, without quotes.  */
typedef void shower(char *out, size_t size, const struct settings *s);

static const char *truth(bool value)
{
  return value ? "TRUE" : "FALSE";
}

#define SHOW(name, format, ...)                                        \
  static void show_##name(char *out, size_t size, const struct settings *s) \
  {                                                                    \
    (void)s;                                                           \
    snprintf(out, size, format, __VA_ARGS__);                          \
  }

SHOW(dynamic, "%s", truth(s->initial.dynamic))
SHOW(nested, "%s", truth(s->initial.max_active_levels > 1))
SHOW(stack_size, "%zu", s->stack_size)
SHOW(wait_policy, "%s", s->wait_policy == 1 ? "ACTIVE" : "PASSIVE")
SHOW(thread_limit, "%u", s->initial.thread_limit)
SHOW(max_active_levels, "%d", s->initial.max_active_levels)
SHOW(num_teams, "%d", s->num_teams)
SHOW(teams_thread_limit, "%d", s->teams_thread_limit)
SHOW(cancellation, "%s", truth(s->cancellation))
SHOW(default_device, "%d", s->initial.default_device < 0 ? 0 : s->initial.default_device)
SHOW(max_task_priority, "%d", s->max_task_priority)
SHOW(display_affinity, "%s", truth(s->display_affinity))
SHOW(affinity_format, "%s", s->affinity_format)
SHOW(target_offload, "%s",
     s->target_offload == OFFLOAD_MANDATORY ? "MANDATORY"
     : s->target_offload == OFFLOAD_DISABLED ? "DISABLED" : "DEFAULT")
SHOW(cpu_affinity, "%s", seen.cpu_affinity != NULL ? seen.cpu_affinity : "")
SHOW(spin_count, "%llu", s->spin_count_set ? s->spin_count : 0)
SHOW(debug, "%d", s->debug)
SHOW(substrate, "%s", getenv("GHCOMP_SUBSTRATE") != NULL ? getenv("GHCOMP_SUBSTRATE") : "ghc")

static void show_num_threads(char *out, size_t size, const struct settings *s)
{
  unsigned first = s->initial.nthreads != 0 ? s->initial.nthreads : ghcomp_icv_default_threads();
  int used = snprintf(out, size, "%u", first);
  for (unsigned i = 1; i < s->nthreads_list_length && used < (int)size; i++)
    used += snprintf(out + used, size - (size_t)used, ",%u", s->nthreads_list[i]);
}

static const char *bind_name(unsigned bind)
{
  static const char *const names[] = {"FALSE", "TRUE", "PRIMARY", "CLOSE", "SPREAD"};
  return names[bind];
}

static void show_proc_bind(char *out, size_t size, const struct settings *s)
{
  int used = snprintf(out, size, "%s", bind_name(s->initial.bind));
  for (unsigned i = 1; i < s->bind_list_length && used < (int)size; i++)
    used += snprintf(out + used, size - (size_t)used, ",%s", bind_name(s->bind_list[i]));
}

static void show_schedule(char *out, size_t size, const struct settings *s)
{
  static const char *const names[] = {"", "STATIC", "DYNAMIC", "GUIDED", "AUTO"};
  unsigned kind = s->initial.run_schedule & ~SCHEDULE_MONOTONIC;
  bool monotonic = (s->initial.run_schedule & SCHEDULE_MONOTONIC) != 0;
  const char *modifier = kind == SCHEDULE_STATIC ? (monotonic ? "" : "NONMONOTONIC:")
                                                 : (monotonic ? "MONOTONIC:" : "");
  bool plain = s->initial.run_chunk == 0 ||
               (s->initial.run_chunk == 1 && kind != SCHEDULE_STATIC);
  if (plain)
    snprintf(out, size, "%s%s", modifier, names[kind]);
  else
    snprintf(out, size, "%s%s,%d", modifier, names[kind], s->initial.run_chunk);
}

static void show_places(char *out, size_t size, const struct settings *s)
{
  (void)s;
  ghcomp_places_print(out, size);
}

static void show_allocator(char *out, size_t size, const struct settings *s)
{
  (void)s;
  ghcomp_env_allocator_show(out, size);
}

static bool read_allocator(const char *text, struct settings *s)
{
  return ghcomp_env_allocator_read(text, &s->initial.default_allocator);
}

/* ------------------------------------------------------------------------ the table */

struct env_row {
  const char *name;
  bool (*read)(const char *, struct settings *);
  shower *show;         /* NULL: not in the table that is displayed */
  const char *expected; /* for the message */
  bool has_devices;     /* _ALL, _DEV and _DEV_n exist */
  bool verbose;         /* shown in the verbose table only */
};

/* In the order in which they are read and shown; a later row may depend on an
   earlier one.  */
static const struct env_row rows[] = {
    {"OMP_DYNAMIC", read_dynamic, show_dynamic, "true or false", true, false},
    {"OMP_MAX_ACTIVE_LEVELS", read_max_active_levels, NULL, "a number from 0", true, false},
    {"OMP_NESTED", read_nested, show_nested, "true or false", false, false},
    {"OMP_NUM_THREADS", read_num_threads, show_num_threads,
     "positive numbers of threads, separated by commas", true, false},
    {"OMP_SCHEDULE", read_schedule, show_schedule,
     "[monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]", true, false},
    {"OMP_PROC_BIND", read_proc_bind, show_proc_bind,
     "true, false, or primary, close, spread separated by commas", true, false},
    {"OMP_PLACES", read_places, show_places, "", false, false},
    {"OMP_STACKSIZE", read_stack_size, show_stack_size,
     "a size, with B, K, M or G (K without)", true, false},
    {"OMP_WAIT_POLICY", read_wait_policy, show_wait_policy, "active or passive", true, false},
    {"OMP_THREAD_LIMIT", read_thread_limit, show_thread_limit, "a positive number", true, false},
    {"OMP_MAX_ACTIVE_LEVELS", NULL, show_max_active_levels, "", false, false},
    {"OMP_NUM_TEAMS", read_num_teams, show_num_teams, "a positive number", true, false},
    {"OMP_TEAMS_THREAD_LIMIT", read_teams_thread_limit, show_teams_thread_limit,
     "a positive number", true, false},
    {"OMP_CANCELLATION", read_cancellation, show_cancellation, "true or false", false, false},
    {"OMP_DEFAULT_DEVICE", read_default_device, show_default_device, "a number from 0", true,
     false},
    {"OMP_MAX_TASK_PRIORITY", read_max_task_priority, show_max_task_priority, "a number from 0",
     false, false},
    {"OMP_DISPLAY_AFFINITY", read_display_affinity, show_display_affinity, "true or false", false,
     false},
    {"OMP_AFFINITY_FORMAT", read_affinity_format, show_affinity_format, "a format that is not empty",
     false, false},
    {"OMP_ALLOCATOR", read_allocator, show_allocator,
     "a predefined allocator, or a memory space with traits", false, false},
    {"OMP_TARGET_OFFLOAD", read_target_offload, show_target_offload,
     "default, mandatory or disabled", false, false},
    {"OMP_DISPLAY_ENV", read_display_env, NULL, "true, false or verbose", false, false},
    {"OMP_TOOL", read_nothing, NULL, "", false, false},
    {"OMP_TOOL_LIBRARIES", read_nothing, NULL, "", false, false},
    {"OMP_DEBUG", read_nothing, NULL, "", false, false},
    {"GOMP_CPU_AFFINITY", read_cpu_affinity, show_cpu_affinity, "", false, true},
    {"GOMP_STACKSIZE", read_gomp_stack_size, show_stack_size,
     "a size, with B, K, M or G (K without)", false, true},
    {"GOMP_SPINCOUNT", read_spin_count, show_spin_count,
     "a number, with k, M, G or T, or infinite", false, true},
    {"GOMP_DEBUG", read_debug, show_debug, "a number from 0", false, true},
    {"GHCOMP_SUBSTRATE", read_nothing, show_substrate, "", false, true},
};
#define ROWS (sizeof rows / sizeof rows[0])

/* --------------------------------------------------------------------- reading */

/* What the variable's ICV is now, for the message.  */
static void say_unusable(const struct env_row *row, const char *name, const char *text)
{
  char now[256] = "nothing";
  if (row->show != NULL)
    row->show(now, sizeof now, &ghcomp_settings);
  ghcomp_message_say("%s=%.200s: expected %s; %s%s%s is used", name, text, row->expected,
                     row->show != NULL ? "'" : "", now, row->show != NULL ? "'" : "");
}

static void read_host(const struct env_row *row, const char *name, const char *text)
{
  if (!row->read(text, &ghcomp_settings))
    say_unusable(row, name, text);
}

/* Read like the host's, into a copy that nobody uses, and kept as text.  */
static void read_device(const struct env_row *row, const char *name, const char *scope,
                        const char *text)
{
  struct settings other = ghcomp_settings;
  char shown[1024] = "";
  bool levels = seen.levels_set, stack = seen.omp_stack_size, bind = seen.bind_set;
  bool ok = row->read(text, &other);
  seen.levels_set = levels;
  seen.omp_stack_size = stack;
  seen.bind_set = bind;
  if (!ok) {
    ghcomp_message_say("%s=%.200s: expected %s; nothing is used, the default stays", name, text,
                       row->expected);
    return;
  }
  if (row->show != NULL)
    row->show(shown, sizeof shown, &other);
  else
    snprintf(shown, sizeof shown, "%s", text);
  struct device_value *value = ghcomp_memory_get(sizeof *value);
  *value = (struct device_value){row, keep(scope, strlen(scope) + 1),
                                 keep(shown, strlen(shown) + 1), device_values};
  device_values = value;
}

/* NAME_DEV_n: n has no sign and no leading zero.  */
static bool is_device_number(const char *text)
{
  unsigned long long n;
  return isdigit((unsigned char)*text) && (text[0] != '0' || text[1] == '\0') &&
         ghcomp_env_parse_number(text, 0, INT_MAX, &n);
}

/* One variable of the environment that begins with the row's name.  */
static void read_forms(const struct env_row *row, const char *entry, size_t name_length)
{
  char name[96];
  const char *text = entry + name_length + 1;
  size_t base = strlen(row->name);
  if (name_length >= sizeof name)
    return;
  snprintf(name, sizeof name, "%.*s", (int)name_length, entry);
  const char *suffix = name + base;
  if (strcmp(suffix, "_ALL") == 0) {
    read_device(row, name, "all", text);
    if (getenv(row->name) == NULL)
      row->read(text, &ghcomp_settings);
  } else if (strcmp(suffix, "_DEV") == 0) {
    read_device(row, name, "device", text);
  } else if (strncmp(suffix, "_DEV_", 5) == 0) {
    if (is_device_number(suffix + 5))
      read_device(row, name, suffix + 5, text);
    else
      ghcomp_message_say("%s=%.200s: expected a device number at the end of the name; the variable "
                         "is not used", name, text);
  }
}

static void read_row(const struct env_row *row)
{
  size_t base = strlen(row->name);
  const char *text = getenv(row->name);
  if (text != NULL)
    read_host(row, row->name, text);
  if (!row->has_devices)
    return;
  for (char **entry = environ; *entry != NULL; entry++) {
    if (strncmp(*entry, row->name, base) != 0 || (*entry)[base] != '_')
      continue;
    const char *equals = strchr(*entry, '=');
    if (equals != NULL)
      read_forms(row, *entry, (size_t)(equals - *entry));
  }
}

static bool concerns_us(const char *entry)
{
  return strncmp(entry, "OMP_", 4) == 0 || strncmp(entry, "GOMP_", 5) == 0 ||
         strncmp(entry, "GHCOMP_", 7) == 0;
}

static bool any_variable(void)
{
  for (char **entry = environ; entry != NULL && *entry != NULL; entry++)
    if (concerns_us(*entry))
      return true;
  return false;
}

static void set_defaults(struct settings *s)
{
  static char format[] = "level %L thread %i affinity %A";
  *s = (struct settings){.wait_policy = -1, .affinity_format = format,
                         .affinity_format_length = sizeof format - 1};
  s->initial = (struct icv){.thread_limit = UINT_MAX, .run_schedule = SCHEDULE_DYNAMIC,
                            .run_chunk = 1, .max_active_levels = 1, .default_device = DEFAULT_DEVICE_UNSET, .default_allocator = 1};
}

/* What follows from several variables together.  */
static void combine(struct settings *s)
{
  bool lists = s->nthreads_list_length > 1 || s->bind_list_length > 1;
  if (!seen.levels_set && lists)
    s->initial.max_active_levels = MAX_ACTIVE_LEVELS;
  if (seen.places != NULL || seen.cpu_affinity != NULL) {
    if (ghcomp_places_read(seen.places, seen.cpu_affinity) && !seen.bind_set)
      s->initial.bind = BIND_TRUE;
  }
  if (s->initial.bind != BIND_FALSE && ghcomp_places.count == 0)
    ghcomp_places_default();
}

void ghcomp_env_read(void)
{
  set_defaults(&ghcomp_settings);
  if (!any_variable())
    return;
  for (unsigned i = 0; i < ROWS; i++)
    if (rows[i].read != NULL)
      read_row(&rows[i]);
  combine(&ghcomp_settings);
  if (seen.display)
    ghcomp_env_display(seen.display_verbose);
}

/* -------------------------------------------------------------------- displaying */

void ghcomp_env_display(bool verbose)
{
  char value[8192];
  fputs("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n", stderr);
  for (unsigned i = 0; i < ROWS; i++) {
    const struct env_row *row = &rows[i];
    if (row->show == NULL || (row->verbose && !verbose))
      continue;
    row->show(value, sizeof value, &ghcomp_settings);
    fprintf(stderr, "  [host] %s = '%s'\n", row->name, value);
  }
  for (const struct device_value *v = device_values; v != NULL; v = v->next)
    fprintf(stderr, "  [%s] %s = '%s'\n", v->scope, v->row->name, v->shown);
  fputs("OPENMP DISPLAY ENVIRONMENT END\n", stderr);
}
