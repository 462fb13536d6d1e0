/* The environment variables of OpenMP 5.2 (chapter 21), of libgomp and of LLVM's runtime: which there are, and
   which of them the environment has.

   There is one row for each variable.  A row with device forms is also read from NAME_ALL, which
   counts for the host if NAME gives nothing, and from NAME_DEV and NAME_DEV_n, which are only
   checked and shown, because there are no devices.

   Cost without any of the variables: one pass over the environment.  */
#include "settings/env_variables.h"

#include "base/memory.h"
#include "machine/process.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------- the table */

#define ROW(name, what, flags, expected) \
  {name, ghcomp_env_read_##what, ghcomp_env_show_##what, flags, expected}

static const char truth[] = "true or false";
static const char positive[] = "a positive integer";
static const char not_negative[] = "an integer that is not negative";
static const char stack[] = "a size of at least 16K, with B, K (assumed), M or G";

/* In the order of libgomp's table.  */
const struct env_row ghcomp_env_rows[] = {
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
    ROW("GHCOMP_TURNS", turns, VERBOSE, "on or off"),
    ROW("GHCOMP_REFUSED_THREADS", refused_threads, VERBOSE, "fewer or end"),
    {"GHCOMP_STATS", ghcomp_env_read_anything, NULL, 0, NULL},
    ROW("KMP_BLOCKTIME", block_time, LLVM | LATE | VERBOSE, "milliseconds, microseconds with us behind, or infinite"),
    ROW("KMP_LIBRARY", library, LLVM | LATE | VERBOSE, "serial, turnaround or throughput"),
    ROW("KMP_AFFINITY", kmp_affinity, LLVM | VERBOSE, NULL),
    ROW("KMP_HIDDEN_HELPER_AFFINITY", helper_affinity, LLVM | VERBOSE, NULL),
    ROW("LIBOMP_NUM_HIDDEN_HELPER_THREADS", helpers, LLVM | VERBOSE, "a number from 0 to 1023"),
    ROW("LIBOMP_USE_HIDDEN_HELPER_TASK", uses_helpers, LLVM | VERBOSE, truth),
    {"KMP_STACKSIZE", ghcomp_env_read_kmp_stack_size, ghcomp_env_show_stack_size, LLVM | LATE | VERBOSE,
     "a size of at least 16K, with B (assumed), K, M, G or T"},
    ROW("KMP_HW_SUBSET", hw_subset, LLVM | VERBOSE, "so many sockets, cores and threads, like 1s,4c,1t, perhaps with @ and a first"),
    ROW("KMP_TEAMS_THREAD_LIMIT", teams_total, LLVM | LATE | VERBOSE, positive),
    {"KMP_DEVICE_THREAD_LIMIT", ghcomp_env_read_kmp_thread_limit, ghcomp_env_show_thread_limit, LLVM | VERBOSE, positive},
    {"KMP_ALL_THREADS", ghcomp_env_read_kmp_thread_limit, ghcomp_env_show_thread_limit, LLVM | VERBOSE, positive},
    ROW("KMP_TEAMS_PROC_BIND", teams_bind, LLVM | VERBOSE, "primary, close or spread"),
    ROW("KMP_INHERIT_FP_CONTROL", inherit_modes, LLVM | LATE | VERBOSE, truth),
    ROW("KMP_ENABLE_TASK_THROTTLING", throttling, LLVM | LATE | VERBOSE, truth),
    ROW("KMP_WARNINGS", warnings, LLVM | LATE | VERBOSE, truth),
    {"KMP_SETTINGS", ghcomp_env_read_kmp_settings, NULL, LLVM | LATE, truth},
    {"KMP_VERSION", ghcomp_env_read_kmp_version, NULL, LLVM | LATE, truth},
    {"KMP_DISP_NUM_BUFFERS", ghcomp_env_read_kmp_buffers, NULL, LLVM | LATE, "a number from 1 to 4096"},
    {"KMP_DUPLICATE_LIB_OK", ghcomp_env_read_anything, NULL, LLVM | LATE, NULL}, /* it always is */
    {"KMP_INIT_AT_FORK", ghcomp_env_read_anything, NULL, LLVM | LATE, NULL}, /* scikit-learn sets it; a forked child always works */
};
const struct env_row *const ghcomp_env_rows_end = ghcomp_env_rows + sizeof ghcomp_env_rows / sizeof *ghcomp_env_rows;

/* --------------------------------------------------- the variables that are there */

struct variable *ghcomp_env_variables;
size_t ghcomp_env_variable_count;

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
  for (const struct env_row *row = ghcomp_env_rows; equals != NULL && row < ghcomp_env_rows_end; row++) {
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
  return strncmp(entry, "OMP_", 4) == 0 || strncmp(entry, "GOMP_", 5) == 0 || strncmp(entry, "GHCOMP_", 7) == 0 ||
         ghcomp_env_is_llvm_name(entry);
}

const struct env_row *ghcomp_env_row_of(const char *entry)
{
  size_t length = strcspn(entry, "=");
  for (const struct env_row *row = ghcomp_env_rows; row < ghcomp_env_rows_end; row++)
    if (strlen(row->name) == length && strncmp(row->name, entry, length) == 0)
      return row;
  return NULL;
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
  for (size_t i = 0; i < ghcomp_env_variable_count; i++)
    if (kept == 0 || !same_name(&ghcomp_env_variables[kept - 1], &ghcomp_env_variables[i]))
      ghcomp_env_variables[kept++] = ghcomp_env_variables[i];
  ghcomp_env_variable_count = kept;
}

bool ghcomp_env_collect(void)
{
  size_t most = 0;
  char **first = ghcomp_machine_environment();
  for (char **entry = first; entry != NULL && *entry != NULL; entry++)
    most += has_our_prefix(*entry);
  if (most == 0)
    return false;
  ghcomp_env_variables = ghcomp_memory_get_zero(most * sizeof *ghcomp_env_variables);
  for (char **entry = first; *entry != NULL && ghcomp_env_variable_count < most; entry++)
    if (has_our_prefix(*entry) && recognise(entry, &ghcomp_env_variables[ghcomp_env_variable_count])) {
      ghcomp_env_variables[ghcomp_env_variable_count].position = (unsigned)ghcomp_env_variable_count;
      ghcomp_env_variable_count++;
    }
  qsort(ghcomp_env_variables, ghcomp_env_variable_count, sizeof *ghcomp_env_variables, compare);
  drop_repeated();
  return true;
}
