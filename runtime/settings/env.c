/* The environment variables of OpenMP 5.2 (chapter 21), of libgomp and, where code of
   LLVM's or Intel's compilers is served, of their runtime: which there are, and how they
   go into ghcomp_settings.

   There is one row for each variable.  A row with device forms is also read from NAME_ALL, which
   counts for the host if NAME gives nothing, and from NAME_DEV and NAME_DEV_n, which are only
   checked and shown, because there are no devices.  A value that cannot be used changes nothing,
   and gets one message.  The messages come last, when it is known what is used instead.

   Cost without any of the variables: one pass over the environment.  */
#include "settings/env.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "machine/process.h"
#include "machine/processors.h"
#include "places/places.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings ghcomp_settings;

/* -------------------------------------------------------------------- the table */

enum row_flags {
  DEVICE_FORMS = 1, /* NAME_ALL, NAME_DEV and NAME_DEV_n exist */
  GLOBAL = 2,       /* one value for host and devices: [all] in the table */
  VERBOSE = 4,      /* in the verbose table only */
  LLVM = 8,         /* counts where code of LLVM's or Intel's compilers is served; see env_llvm.c */
  LATE = 16,        /* also where such code comes when the program has begun */
};

struct env_row {
  const char *name;
  env_reader *read;
  env_shower *show;     /* NULL: not in the table that is displayed */
  unsigned flags;
  const char *expected; /* for the message; NULL: every text is accepted here */
};

#define ROW(name, what, flags, expected) \
  {name, ghcomp_env_read_##what, ghcomp_env_show_##what, flags, expected}

static const char truth[] = "true or false";
static const char positive[] = "a positive integer";
static const char not_negative[] = "an integer that is not negative";
static const char stack[] = "a size of at least 16K, with B, K (assumed), M or G";

/* In the order of libgomp's table.  */
static const struct env_row rows[] = {
    ROW("OMP_DYNAMIC", dynamic, DEVICE_FORMS, truth),
    ROW("OMP_NESTED", nested, 0, truth),
    ROW("OMP_NUM_THREADS", num_threads, DEVICE_FORMS, "a list of positive integers"),
    ROW("OMP_SCHEDULE", schedule, DEVICE_FORMS,
        "[monotonic:|nonmonotonic:]static|dynamic|guided|auto[,chunk]"),
    ROW("OMP_PROC_BIND", proc_bind, DEVICE_FORMS,
        "true, false, or a list of primary, close and spread"),
    ROW("OMP_PLACES", places, 0, NULL),
    ROW("OMP_STACKSIZE", stack_size, DEVICE_FORMS, stack),
    ROW("OMP_WAIT_POLICY", wait_policy, DEVICE_FORMS, "active or passive"),
    ROW("OMP_THREAD_LIMIT", thread_limit, DEVICE_FORMS, positive),
    ROW("OMP_MAX_ACTIVE_LEVELS", max_active_levels, DEVICE_FORMS, not_negative),
    ROW("OMP_NUM_TEAMS", num_teams, DEVICE_FORMS, positive),
    ROW("OMP_TEAMS_THREAD_LIMIT", teams_thread_limit, DEVICE_FORMS, positive),
    ROW("OMP_CANCELLATION", cancellation, GLOBAL, truth),
    ROW("OMP_DEFAULT_DEVICE", default_device, DEVICE_FORMS | GLOBAL, not_negative),
    ROW("OMP_MAX_TASK_PRIORITY", max_task_priority, GLOBAL, not_negative),
    ROW("OMP_DISPLAY_AFFINITY", display_affinity, GLOBAL, truth),
    ROW("OMP_AFFINITY_FORMAT", affinity_format, 0,
        "text with fields like %n, %8A, %0.3{thread_num}"),
    ROW("OMP_ALLOCATOR", allocator, 0,
        "a predefined allocator, or a memory space, perhaps with :trait=value,..."),
    ROW("OMP_TARGET_OFFLOAD", target_offload, GLOBAL, "mandatory, disabled or default"),
    {"OMP_DISPLAY_ENV", ghcomp_env_read_display_env, NULL, 0, "true, false or verbose"},
    {"OMP_TOOL", ghcomp_env_read_anything, NULL, 0, NULL},
    {"OMP_TOOL_LIBRARIES", ghcomp_env_read_anything, NULL, 0, NULL},
    {"OMP_TOOL_VERBOSE_INIT", ghcomp_env_read_anything, NULL, 0, NULL},
    {"OMP_DEBUG", ghcomp_env_read_anything, NULL, 0, NULL},
    ROW("GOMP_CPU_AFFINITY", affinity, VERBOSE, NULL),
    {"GOMP_STACKSIZE", ghcomp_env_read_gomp_stack_size, ghcomp_env_show_stack_size, VERBOSE, stack},
    ROW("GOMP_SPINCOUNT", spin_count, VERBOSE,
        "an integer that is not negative, perhaps with k, M, G or T, or infinite"),
    {"GOMP_DEBUG", ghcomp_env_read_debug, NULL, 0, not_negative},
    {"GOMP_RTEMS_THREAD_POOLS", ghcomp_env_read_anything, NULL, 0, NULL},
    {"GHCOMP_SUBSTRATE", ghcomp_env_read_anything, ghcomp_env_show_substrate, VERBOSE, NULL},
    ROW("GHCOMP_TREE", tree, VERBOSE, not_negative),
    {"GHCOMP_STATS", ghcomp_env_read_anything, NULL, 0, NULL},
    ROW("KMP_BLOCKTIME", block_time, LLVM | LATE | VERBOSE, "milliseconds, microseconds with us behind, or infinite"),
    ROW("KMP_LIBRARY", library, LLVM | LATE | VERBOSE, "serial, turnaround or throughput"),
    ROW("KMP_AFFINITY", kmp_affinity, LLVM | VERBOSE, NULL),
    {"KMP_STACKSIZE", ghcomp_env_read_kmp_stack_size, ghcomp_env_show_stack_size, LLVM | LATE | VERBOSE,
     "a size of at least 16K, with B (assumed), K, M, G or T"},
    ROW("KMP_HW_SUBSET", hw_subset, LLVM | VERBOSE, "so many sockets, cores and threads, like 1s,4c,1t, perhaps with @ and a first"),
    ROW("KMP_TEAMS_THREAD_LIMIT", teams_total, LLVM | LATE | VERBOSE, positive),
    {"KMP_DEVICE_THREAD_LIMIT", ghcomp_env_read_kmp_thread_limit, ghcomp_env_show_thread_limit, LLVM | VERBOSE, positive},
    {"KMP_ALL_THREADS", ghcomp_env_read_kmp_thread_limit, ghcomp_env_show_thread_limit, LLVM | VERBOSE, positive},
    ROW("KMP_TEAMS_PROC_BIND", teams_bind, LLVM | VERBOSE, "primary, close or spread"),
    ROW("KMP_ENABLE_TASK_THROTTLING", throttling, LLVM | LATE | VERBOSE, truth),
    ROW("KMP_WARNINGS", warnings, LLVM | LATE | VERBOSE, truth),
    {"KMP_SETTINGS", ghcomp_env_read_kmp_settings, NULL, LLVM | LATE, truth},
    {"KMP_VERSION", ghcomp_env_read_kmp_version, NULL, LLVM | LATE, truth},
    {"KMP_DISP_NUM_BUFFERS", ghcomp_env_read_kmp_buffers, NULL, LLVM | LATE, "a number from 1 to 4096"},
    {"KMP_DUPLICATE_LIB_OK", ghcomp_env_read_anything, NULL, LLVM | LATE, NULL}, /* it always is */
    {"KMP_INIT_AT_FORK", ghcomp_env_read_anything, NULL, LLVM | LATE, NULL}, /* scikit-learn sets it; a forked child always works */
};
#define ROWS_END (rows + sizeof rows / sizeof rows[0])

/* --------------------------------------------------- the variables that are there */

/* In the order in which the host uses them: a later form replaces the value of an earlier one.  */
enum form { FORM_ALL, FORM_HOST, FORM_DEVICES, FORM_DEVICE, FORM_UNKNOWN };

struct variable {
  const struct env_row *row;
  enum form form;
  unsigned device;   /* FORM_DEVICE: its number */
  unsigned position; /* in the environment: the first entry of a name counts */
  char *const *entry; /* "NAME=value" */
  const char *text;
  bool bad;
  const char *complaint; /* what is bad, if the reader could say so */
  struct env_values *device_values; /* what a device form gave */
};

/* Sorted by row, form, device and position.  Kept for the table.  */
static struct variable *variables;
static size_t variable_count;
static struct env_values values;
static bool llvm_read; /* those of LLVM's runtime have been read */
static bool like_llvm; /* as settings.like_llvm */

/* The form that the text after the row's name in "NAME…=value" stands for.  */
static enum form form_of(const char *suffix, const char *equals, unsigned *device)
{
  char number[16];
  unsigned long long n;
  size_t length = (size_t)(equals - suffix);
  if (length == 0)
    return FORM_HOST;
  if (length == 4 && strncmp(suffix, "_ALL", 4) == 0)
    return FORM_ALL;
  if (length == 4 && strncmp(suffix, "_DEV", 4) == 0)
    return FORM_DEVICES;
  suffix += 5;
  length -= 5;
  /* no sign, no blanks, no leading zero */
  if (length == 0 || length >= sizeof number || !isdigit((unsigned char)suffix[0]) ||
      !isdigit((unsigned char)suffix[length - 1]) || (suffix[0] == '0' && length > 1))
    return FORM_UNKNOWN;
  memcpy(number, suffix, length);
  number[length] = '\0';
  if (!ghcomp_parse_number(number, 0, INT_MAX, &n))
    return FORM_UNKNOWN;
  *device = (unsigned)n;
  return FORM_DEVICE;
}

static bool is_suffix(const char *text, const char *equals)
{
  return text == equals || strncmp(text, "_ALL=", 5) == 0 || strncmp(text, "_DEV=", 5) == 0 ||
         (strncmp(text, "_DEV_", 5) == 0 && text + 5 <= equals);
}

/* Fills in the variable if the entry belongs to a row.  */
static bool recognise(char *const *entry, struct variable *variable)
{
  const char *equals = strchr(*entry, '=');
  for (const struct env_row *row = rows; equals != NULL && row < ROWS_END; row++) {
    size_t length = strlen(row->name);
    if (strncmp(*entry, row->name, length) != 0 || !is_suffix(*entry + length, equals))
      continue;
    variable->row = row;
    variable->entry = entry;
    variable->text = equals + 1;
    variable->form = form_of(*entry + length, equals, &variable->device);
    if (variable->form != FORM_HOST && (row->flags & DEVICE_FORMS) == 0)
      variable->form = FORM_UNKNOWN;
    return true;
  }
  return false;
}

static bool has_our_prefix(const char *entry)
{
  return strncmp(entry, "OMP_", 4) == 0 || strncmp(entry, "GOMP_", 5) == 0 ||
         strncmp(entry, "GHCOMP_", 7) == 0 || strncmp(entry, "KMP_", 4) == 0;
}

/* The row of "NAME=…", or NULL.  */
static const struct env_row *row_of(const char *entry)
{
  size_t length = strcspn(entry, "=");
  for (const struct env_row *row = rows; row < ROWS_END; row++)
    if (strlen(row->name) == length && strncmp(row->name, entry, length) == 0)
      return row;
  return NULL;
}

static bool has_row(const char *entry)
{
  return row_of(entry) != NULL;
}

static int compare(const void *a, const void *b)
{
  const struct variable *x = a, *y = b;
  if (x->row != y->row)
    return x->row < y->row ? -1 : 1;
  if (x->form != y->form)
    return x->form < y->form ? -1 : 1;
  if (x->device != y->device)
    return x->device < y->device ? -1 : 1;
  return x->position < y->position ? -1 : 1;
}

static bool same_name(const struct variable *x, const struct variable *y)
{
  return x->row == y->row && x->form == y->form && x->device == y->device &&
         x->form != FORM_UNKNOWN;
}

static void drop_repeated(void)
{
  size_t kept = 0;
  for (size_t i = 0; i < variable_count; i++)
    if (kept == 0 || !same_name(&variables[kept - 1], &variables[i]))
      variables[kept++] = variables[i];
  variable_count = kept;
}

/* False: there are none.  */
static bool collect(void)
{
  size_t most = 0;
  char **first = ghcomp_machine_environment();
  for (char **entry = first; entry != NULL && *entry != NULL; entry++)
    most += has_our_prefix(*entry);
  if (most == 0)
    return false;
  variables = ghcomp_memory_get_zero(most * sizeof *variables);
  for (char **entry = first; *entry != NULL && variable_count < most; entry++)
    if (has_our_prefix(*entry) && recognise(entry, &variables[variable_count])) {
      variables[variable_count].position = (unsigned)variable_count;
      variable_count++;
    }
  qsort(variables, variable_count, sizeof *variables, compare);
  drop_repeated();
  return true;
}

/* --------------------------------------------------------------------- reading */

/* LLVM's runtime begins with schedule(static) where libgomp begins with dynamic, and shows other fields.  */
static void set_llvm_defaults(struct env_values *v)
{
  v->settings.like_llvm = true;
  v->settings.teams_bind = BIND_SPREAD;
  v->settings.affinity_format = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";
  v->settings.initial.run_schedule = SCHEDULE_STATIC;
  v->settings.initial.run_chunk = 0;
}

static void set_defaults(struct env_values *v)
{
  *v = (struct env_values){.settings = {.wait_policy = -1, .block_time = BLOCK_TIME_USUAL, .warnings = true,
                                        .affinity_format = "level %L thread %i affinity %A"}};
  v->settings.initial =
      (struct icv){.thread_limit = UINT_MAX, .run_schedule = SCHEDULE_DYNAMIC, .run_chunk = 1,
                   .max_active_levels = 1, .dynamic = DYNAMIC_BY_HOST, .default_allocator = 1 /* omp_default_mem_alloc */};
  if (like_llvm)
    set_llvm_defaults(v);
}

/* A bad value does not change *v.  */
static bool read_into(struct env_values *v, struct variable *variable)
{
  struct env_values copy = *v;
  if (!variable->row->read(variable->text, &copy)) {
    variable->complaint = copy.complaint;
    return false;
  }
  *v = copy;
  return true;
}

static bool is_llvm(const struct variable *variable)
{
  return (variable->row->flags & LLVM) != 0;
}

static void read_variable(struct variable *variable)
{
  variable->bad = variable->form == FORM_UNKNOWN;
  if (variable->form == FORM_HOST || variable->form == FORM_ALL)
    variable->bad = !read_into(&values, variable);
  if (variable->bad || variable->form == FORM_HOST || variable->form == FORM_UNKNOWN)
    return;
  variable->device_values = ghcomp_memory_get(sizeof *variable->device_values);
  set_defaults(variable->device_values);
  variable->bad = !read_into(variable->device_values, variable);
}

static void make_places(struct env_values *v)
{
  struct icv *icv = &v->settings.initial;
  bool refused = v->bind_given && icv->bind == BIND_FALSE;
  bool asked = v->bind_given && !refused;
  const char *llvm_places = ghcomp_env_llvm_places_for(v->places);
  const char *otherwise = asked ? "the default (threads)" : like_llvm && !refused ? llvm_places : "no binding";
  bool made = ghcomp_places_read(v->places, v->affinity, otherwise);
  if (!made && !v->bind_given && v->kmp_affinity != NULL)
    made = ghcomp_env_llvm_places(v->kmp_affinity, &icv->bind, &v->bind_given);
  if (made && refused)
    ghcomp_places_drop();
  if (made && !v->bind_given)
    icv->bind = BIND_TRUE;
  if (asked && !made)
    ghcomp_places_default();
  if (like_llvm && !made && !asked && !refused && v->places != NULL) {
    v->places = llvm_places;
    ghcomp_places_read(v->places, NULL, otherwise);
    icv->bind = BIND_TRUE;
  }
  if (ghcomp_places.count != 0)
    ghcomp_machine_keep_affinity();
}

/* What follows from several variables together.  */
static void combine(struct env_values *v)
{
  struct settings *s = &v->settings;
  unsigned threads = s->nthreads_list_length, binds = s->bind_list_length;
  s->listed_levels = threads > binds ? threads : binds;
  bool lists = s->listed_levels > 1;
  if (!v->levels_given && (v->nested_given ? v->nested : lists))
    s->initial.max_active_levels = MAX_ACTIVE_LEVELS;
  if (s->target_offload == OFFLOAD_MANDATORY && !v->device_given)
    s->initial.default_device = DEVICE_INVALID; /* there is no other device */
  make_places(v);
}

/* -------------------------------------------------------------------- messages */

enum { SHOWN_USED = 100 };

/* "the default (2)", or another variable's value.  */
static void describe_used(const struct env_row *row, struct text *out)
{
  char now[SHOWN_USED], usual[SHOWN_USED];
  struct text now_text = {now, sizeof now, 0}, usual_text = {usual, sizeof usual, 0};
  struct env_values defaults;
  set_defaults(&defaults);
  if (row->show == NULL) {
    ghcomp_text_print(out, "the default");
    return;
  }
  row->show(&now_text, &values);
  row->show(&usual_text, &defaults);
  ghcomp_text_print(out, strcmp(now, usual) == 0 ? "the default (%s)" : "%s", now);
}

static void say_bad_value(const struct variable *variable, const char *name, const char *text)
{
  char used[SHOWN_USED + 32] = "nothing";
  struct text out = {used, sizeof used, 0};
  if (variable->form == FORM_HOST || variable->form == FORM_ALL)
    describe_used(variable->row, &out);
  if (variable->complaint != NULL)
    ghcomp_message_say("%s; %s=%s: expected %s; %s is used", variable->complaint, name, text,
                       variable->row->expected, used);
  else
    ghcomp_message_say("%s=%s: expected %s; %s is used", name, text, variable->row->expected,
                       used);
}

static void say_bad(const struct variable *variable)
{
  char name[GHCOMP_SHOWN_VALUE], text[GHCOMP_SHOWN_VALUE];
  ghcomp_parse_printable(*variable->entry, name);
  ghcomp_parse_printable(variable->text, text);
  name[strcspn(name, "=")] = '\0';
  if (variable->form != FORM_UNKNOWN)
    say_bad_value(variable, name, text);
  else if ((variable->row->flags & DEVICE_FORMS) != 0)
    ghcomp_message_say("%s=%s: expected a device number from 0 behind _DEV_; the variable is not "
                       "used", name, text);
  else
    ghcomp_message_say("%s=%s: expected %s alone, which has no forms for devices; the variable is "
                       "not used", name, text, variable->row->name);
}

/* Those of LLVM's runtime, or the others.  */
static void read_variables(bool llvm)
{
  for (size_t i = 0; i < variable_count; i++)
    if (is_llvm(&variables[i]) == llvm)
      read_variable(&variables[i]);
}

static void say_all_bad(bool llvm)
{
  for (size_t i = 0; i < variable_count; i++)
    if (variables[i].bad && is_llvm(&variables[i]) == llvm)
      say_bad(&variables[i]);
}

static void show_llvm_settings(void);

static void say_llvm(void)
{
  say_all_bad(true);
  if (ghcomp_settings.warnings)
    ghcomp_env_llvm_say_unknown(has_row);
  if (values.version)
    ghcomp_env_llvm_say_version();
  if (values.kmp_settings)
    show_llvm_settings();
}

void ghcomp_env_read(enum llvm_need need)
{
  bool llvm = need != LLVM_NOT_NEEDED;
  like_llvm = ghcomp_affinity_format_like_llvm = ghcomp_message_like_llvm = need == LLVM_NEEDED_ALONE;
  set_defaults(&values);
  bool any = collect();
  read_variables(false);
  if (llvm)
    read_variables(true);
  llvm_read = llvm;
  if (any)
    combine(&values);
  ghcomp_settings = values.settings;
  say_all_bad(false);
  if (llvm)
    say_llvm();
  if (values.display)
    ghcomp_env_display(values.display_verbose);
}

/* What the program may have set since is kept.  */
void ghcomp_env_read_late(void)
{
  if (llvm_read)
    return;
  llvm_read = true;
  values.settings = ghcomp_settings;
  for (size_t i = 0; i < variable_count; i++)
    if (is_llvm(&variables[i]) && (variables[i].row->flags & LATE) != 0)
      read_variable(&variables[i]);
  ghcomp_settings.block_time = values.settings.block_time;
  ghcomp_settings.stack_size = values.settings.stack_size;
  ghcomp_settings.teams_total = values.settings.teams_total;
  ghcomp_settings.warnings = values.settings.warnings;
  ghcomp_settings.defers_all_tasks = values.settings.defers_all_tasks;
  for (size_t i = 0; i < variable_count && ghcomp_settings.warnings; i++)
    if (is_llvm(&variables[i]) && (variables[i].row->flags & LATE) == 0)
      ghcomp_message_say("%s: expected before the program began; code of LLVM's or Intel's compilers came to it "
                         "later, so the variable is not used (OMP_PLACES, OMP_PROC_BIND and OMP_THREAD_LIMIT do the "
                         "same at once)", variables[i].row->name);
  say_llvm();
}

/* ------------------------------------------------------------ set by the program */

/* "NAME=VALUE"; *icv: the caller's own, which variables of that scope change.  */
static void set_one(const char *text, struct icv *icv)
{
  const char *equals = strchr(text, '=');
  const struct env_row *row = equals != NULL ? row_of(text) : NULL;
  if (row == NULL) {
    ghcomp_message_say("kmp_set_defaults(\"%s\"): expected NAME=VALUE with a variable that this runtime has; nothing "
                       "is set", text);
    return;
  }
  struct env_values now = values;
  now.settings = ghcomp_settings;
  now.settings.initial = *icv;
  struct icv initial = ghcomp_settings.initial;
  if (!row->read(equals + 1, &now)) {
    ghcomp_message_say("kmp_set_defaults(\"%s\"): expected %s; nothing is set", text, row->expected);
    return;
  }
  *icv = now.settings.initial;
  now.settings.initial = initial;
  ghcomp_settings = now.settings;
}

void ghcomp_env_set(const char *text, struct icv *icv)
{
  char *copy = ghcomp_memory_copy_text(text), *rest = copy, *one;
  while ((one = strsep(&rest, "|")) != NULL)
    if (*one != '\0')
      set_one(one, icv);
  ghcomp_memory_release(copy);
}

/* ------------------------------------------------------------------- displaying */

static void show_line(struct text *out, const char *scope, const struct env_row *row,
                      const struct env_values *v)
{
  ghcomp_text_print(out, "  [%s] %s = '", scope, row->name);
  row->show(out, v);
  ghcomp_text_print(out, "'\n");
}

static void show_device_line(struct text *out, const struct variable *variable)
{
  char scope[16];
  snprintf(scope, sizeof scope, "%u", variable->device);
  if (variable->device_values != NULL && !variable->bad)
    show_line(out, variable->form == FORM_ALL      ? "all"
                   : variable->form == FORM_DEVICE ? scope
                                                   : "device",
              variable->row, variable->device_values);
}

static void show_table(struct text *out, bool verbose, const struct env_values *now)
{
  size_t i = 0;
  ghcomp_text_print(out, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n");
  if (verbose)
    ghcomp_env_show_about(out);
  for (const struct env_row *row = rows; row < ROWS_END; row++) {
    if (row->show != NULL && (verbose || (row->flags & VERBOSE) == 0) && (llvm_read || (row->flags & LLVM) == 0))
      show_line(out, (row->flags & GLOBAL) != 0 ? "all" : "host", row, now);
    for (; i < variable_count && variables[i].row == row; i++)
      show_device_line(out, &variables[i]);
  }
  ghcomp_text_print(out, "OPENMP DISPLAY ENVIRONMENT END\n");
}

/* Writes to standard error what `show` writes.  */
static void show_all(void (*show)(struct text *out, bool verbose, const struct env_values *now), bool verbose)
{
  struct env_values now = values;
  now.settings = ghcomp_settings;
  char *format = ghcomp_affinity_var_copy();
  now.settings.affinity_format = format;
  struct text out = {NULL, 0, 0};
  show(&out, verbose, &now);
  size_t size = out.length + 1;
  out = (struct text){ghcomp_memory_get(size), size, 0};
  show(&out, verbose, &now);
  fwrite(out.buffer, 1, out.length < size ? out.length : size - 1, stderr);
  ghcomp_memory_release(out.buffer);
  ghcomp_memory_release(format);
}

void ghcomp_env_display(bool verbose)
{
  show_all(show_table, verbose);
}

/* KMP_SETTINGS, in the form of LLVM's runtime: what the user set, and what is in force.  */
static void write_llvm_settings(struct text *out, bool verbose, const struct env_values *now)
{
  (void)verbose;
  ghcomp_text_print(out, "\nUser settings:\n\n");
  for (size_t i = 0; i < variable_count; i++)
    ghcomp_text_print(out, "   %s\n", *variables[i].entry);
  ghcomp_text_print(out, "\nEffective settings:\n\n");
  for (const struct env_row *row = rows; row < ROWS_END; row++) {
    if (row->show == NULL)
      continue;
    ghcomp_text_print(out, "   %s='", row->name);
    if (row->read == ghcomp_env_read_places && now->places != NULL)
      ghcomp_text_print(out, "%s", now->places); /* its words, not the list that they mean */
    else
      row->show(out, now);
    ghcomp_text_print(out, "'\n");
  }
  ghcomp_text_print(out, "\n");
}

static void show_llvm_settings(void)
{
  show_all(write_llvm_settings, true);
}
