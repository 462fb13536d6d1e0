/* Reading the environment variables into ghcomp_settings, and messages about them.

   A value that cannot be used changes nothing, and gets one message.  The messages come last, when it is known
   what is used instead.  */
#include "settings/env_variables.h"

#include "base/memory.h"
#include "base/message.h"
#include "machine/process.h"
#include "machine/processors.h"
#include "machine/thread.h"
#include "places/places.h"

#include <limits.h>
#include <string.h>

struct settings ghcomp_settings;

static struct env_values values;
static bool llvm_read; /* those of LLVM's runtime have been read */
static bool like_llvm; /* as settings.like_llvm */

/* --------------------------------------------------------------------- reading */

/* What LLVM's runtime gives a worker where the first thread's stack has no limit; the C library would give 2 MB.  */
#define STACK_WITHOUT_LIMIT ((size_t)64 << 20)

/* LLVM's runtime begins with schedule(static) where libgomp begins with dynamic, and shows other fields.  */
static void set_llvm_defaults(struct env_values *v)
{
  v->settings.like_llvm = true;
  v->settings.teams_bind = BIND_SPREAD;
  v->settings.affinity_format = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";
  v->settings.initial.run_schedule = SCHEDULE_STATIC;
  v->settings.initial.run_chunk = 0;
  if (ghcomp_machine_stack_has_no_limit())
    v->settings.stack_size = STACK_WITHOUT_LIMIT;
}

static void set_defaults(struct env_values *v)
{
  *v = (struct env_values){.settings = {.wait_policy = -1, .block_time = BLOCK_TIME_USUAL, .warnings = true,
                                        .helpers = USUAL_HELPERS,
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
  bool made = ghcomp_places_read(v->places, v->affinity, !like_llvm, otherwise);
  bool by_kmp_affinity = false;
  if (!made && !v->bind_given && v->kmp_affinity != NULL)
    by_kmp_affinity = made = ghcomp_env_llvm_places(v->kmp_affinity, &icv->bind, &v->bind_given);
  if (made && refused)
    ghcomp_places_drop();
  if (made && !v->bind_given)
    icv->bind = BIND_TRUE;
  if (asked && !made)
    ghcomp_places_default();
  if (like_llvm && !made && !asked && !refused && v->places != NULL) {
    v->places = llvm_places;
    ghcomp_places_read(v->places, NULL, false, otherwise);
    icv->bind = BIND_TRUE;
  }
  if (ghcomp_places.count != 0)
    ghcomp_machine_keep_affinity();
  if (v->kmp_affinity != NULL)
    ghcomp_places_read_verbose(v->kmp_affinity, by_kmp_affinity);
  if (v->helper_affinity != NULL)
    ghcomp_env_llvm_helper_places(v->helper_affinity);
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
  if (v->no_helpers) {
    s->helpers_given = true;
    s->helpers = 0;
  }
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
  for (size_t i = 0; i < ghcomp_env_variable_count; i++)
    if (is_llvm(&ghcomp_env_variables[i]) == llvm)
      read_variable(&ghcomp_env_variables[i]);
}

static void say_all_bad(bool llvm)
{
  for (size_t i = 0; i < ghcomp_env_variable_count; i++)
    if (ghcomp_env_variables[i].bad && is_llvm(&ghcomp_env_variables[i]) == llvm)
      say_bad(&ghcomp_env_variables[i]);
}

static bool has_row(const char *entry)
{
  return ghcomp_env_row_of(entry) != NULL;
}

static void say_llvm(void)
{
  say_all_bad(true);
  if (ghcomp_settings.warnings)
    ghcomp_env_llvm_say_unknown(has_row);
  if (values.version)
    ghcomp_env_llvm_say_version();
  if (values.kmp_settings)
    ghcomp_env_display_llvm(&values);
}

void ghcomp_env_read(enum llvm_need need)
{
  bool llvm = need != LLVM_NOT_NEEDED;
  like_llvm = ghcomp_affinity_format_like_llvm = ghcomp_message_like_llvm = need == LLVM_NEEDED_ALONE;
  set_defaults(&values);
  bool any = ghcomp_env_collect();
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
  for (size_t i = 0; i < ghcomp_env_variable_count; i++)
    if (is_llvm(&ghcomp_env_variables[i]) && (ghcomp_env_variables[i].row->flags & LATE) != 0)
      read_variable(&ghcomp_env_variables[i]);
  ghcomp_settings.block_time = values.settings.block_time;
  ghcomp_settings.stack_size = values.settings.stack_size;
  ghcomp_settings.teams_total = values.settings.teams_total;
  ghcomp_settings.warnings = values.settings.warnings;
  ghcomp_settings.defers_all_tasks = values.settings.defers_all_tasks;
  for (size_t i = 0; i < ghcomp_env_variable_count && ghcomp_settings.warnings; i++)
    if (is_llvm(&ghcomp_env_variables[i]) && (ghcomp_env_variables[i].row->flags & LATE) == 0)
      ghcomp_message_say("%s: expected before the program began; code of LLVM's or Intel's compilers came to it "
                         "later, so the variable is not used (OMP_PLACES, OMP_PROC_BIND and OMP_THREAD_LIMIT do the "
                         "same at once)", ghcomp_env_variables[i].row->name);
  say_llvm();
}

/* ------------------------------------------------------------ set by the program */

/* "NAME=VALUE"; *icv: the caller's own, which variables of that scope change.  */
static void set_one(const char *text, struct icv *icv)
{
  const char *equals = strchr(text, '=');
  const struct env_row *row = equals != NULL ? ghcomp_env_row_of(text) : NULL;
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

void ghcomp_env_display(bool verbose)
{
  ghcomp_env_display_table(&values, verbose, llvm_read);
}
