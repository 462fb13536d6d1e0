/* KMP_* and LIBOMP_*: variables of LLVM's and Intel's runtimes, as far as what they set is here too.

   And what their runtimes read in the standard's variables beyond what libgomp reads.

   These variables count only where code of their compilers is served.  Under libgomp a program of GCC
   ignores them, and they are often set for all programs of a user or of a machine, for the sake of one.
   What has no meaning here is named, once, in one message: somebody meant it to have one.

   Where a variable of the standard says the same (OMP_PROC_BIND, OMP_PLACES, OMP_THREAD_LIMIT) that
   counts; KMP_BLOCKTIME and KMP_STACKSIZE are the other way round, as in LLVM's runtime.  */
#include "base/memory.h"
#include "base/message.h"
#include "machine/process.h"
#include "machine/processors.h"
#include "settings/env.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------ values */

bool ghcomp_env_read_llvm_truth(const char *text, bool *out)
{
  static const char *const words[] = {"false", "true", "0", "1", "off", "on", "no", "yes", "f", "t", "n", "y",
                                      "disabled", "enabled", ".false.", ".true.", ".f.", ".t.", NULL};
  unsigned which;
  if (!ghcomp_parse_word(text, words, &which))
    return false;
  *out = which % 2 != 0;
  return true;
}

bool ghcomp_env_read_warnings(const char *text, struct env_values *v)
{
  return ghcomp_env_read_llvm_truth(text, &v->settings.warnings);
}

bool ghcomp_env_read_throttling(const char *text, struct env_values *v)
{
  bool throttles;
  if (!ghcomp_env_read_llvm_truth(text, &throttles))
    return false;
  v->settings.defers_all_tasks = !throttles;
  return true;
}

bool ghcomp_env_read_inherit_modes(const char *text, struct env_values *v)
{
  bool inherits;
  if (!ghcomp_env_read_llvm_truth(text, &inherits))
    return false;
  v->settings.keeps_modes = !inherits;
  return true;
}

bool ghcomp_env_read_kmp_settings(const char *text, struct env_values *v)
{
  return ghcomp_env_read_llvm_truth(text, &v->kmp_settings);
}

bool ghcomp_env_read_kmp_version(const char *text, struct env_values *v)
{
  return ghcomp_env_read_llvm_truth(text, &v->version);
}

/* Cuts a unit off the end of a copy of the text; false: it does not end so, or is too long.  */
static bool cut_unit(const char *text, const char *unit, char *copy, size_t size)
{
  size_t length = strlen(text), end = strlen(unit);
  while (length > 0 && text[length - 1] == ' ')
    length--;
  if (length <= end || length - end >= size || strncasecmp(text + length - end, unit, end) != 0)
    return false;
  memcpy(copy, text, length - end);
  copy[length - end] = '\0';
  return true;
}

bool ghcomp_env_read_block_time(const char *text, struct env_values *v)
{
  static const char *const words[] = {"infinite", "infinity", NULL};
  char number[32];
  unsigned which;
  unsigned long long time, unit = 1000;
  if (ghcomp_parse_word(text, words, &which)) {
    v->settings.block_time = BLOCK_TIME_INFINITE;
    return true;
  }
  if (cut_unit(text, "us", number, sizeof number))
    unit = 1;
  else if (!cut_unit(text, "ms", number, sizeof number) && !cut_unit(text, "", number, sizeof number))
    return false;
  if (!ghcomp_parse_number(number, 0, INT_MAX, &time))
    return false;
  v->settings.block_time = ghcomp_settings_block_time(time, unit);
  return true;
}

bool ghcomp_env_read_library(const char *text, struct env_values *v)
{
  static const char *const words[] = {"serial", "turnaround", "throughput", NULL};
  unsigned which;
  if (!ghcomp_parse_word(text, words, &which))
    return false;
  v->library = (int)which + 1; /* enum kmp_library */
  if (v->library == KMP_LIBRARY_SERIAL)
    v->settings.initial.thread_limit = 1;
  else if (v->library == KMP_LIBRARY_TURNAROUND)
    v->settings.block_time = BLOCK_TIME_INFINITE;
  return true;
}

bool ghcomp_env_read_kmp_affinity(const char *text, struct env_values *v)
{
  v->kmp_affinity = ghcomp_memory_copy_text(text);
  return true;
}

bool ghcomp_env_read_helper_affinity(const char *text, struct env_values *v)
{
  v->helper_affinity = ghcomp_memory_copy_text(text);
  return true;
}

bool ghcomp_env_read_helpers(const char *text, struct env_values *v)
{
  unsigned long long helpers;
  if (!ghcomp_parse_number(text, 0, MOST_HELPERS - 1, &helpers))
    return false;
  v->settings.helpers = (unsigned)helpers;
  v->settings.helpers_given = true;
  return true;
}

bool ghcomp_env_read_uses_helpers(const char *text, struct env_values *v)
{
  bool uses;
  if (!ghcomp_env_read_llvm_truth(text, &uses))
    return false;
  v->no_helpers = !uses;
  return true;
}

/* Positions among the loops of a team: there are as many as it needs.  */
bool ghcomp_env_read_kmp_buffers(const char *text, struct env_values *v)
{
  unsigned long long buffers;
  if (ghcomp_parse_number(text, 1, 4096, &buffers))
    return true;
  if (ghcomp_parse_number(text, 0, ULLONG_MAX, &buffers))
    v->complaint = buffers == 0 ? "KMP_DISP_NUM_BUFFERS is too small" : "KMP_DISP_NUM_BUFFERS is too large";
  return false;
}

bool ghcomp_env_read_llvm_size(const char *text, unsigned long long *out)
{
  static const char *const units[] = {"kb", "mb", "gb", "tb", "t"};
  static const unsigned char shifts[] = {10, 20, 30, 40, 40};
  char number[32];
  for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
    if (cut_unit(text, units[i], number, sizeof number)) {
      if (!ghcomp_parse_number(number, 1, PTRDIFF_MAX >> shifts[i], out))
        return false;
      *out <<= shifts[i];
      return true;
    }
  return ghcomp_parse_size(text, out);
}

/* Bytes where no unit is given.  */
bool ghcomp_env_read_kmp_stack_size(const char *text, struct env_values *v)
{
  unsigned long long size;
  if (!ghcomp_parse_number(text, 0, PTRDIFF_MAX, &size) && !ghcomp_env_read_llvm_size(text, &size))
    return false;
  if (size < GHCOMP_LEAST_STACK || size > PTRDIFF_MAX)
    return false;
  v->settings.stack_size = (size_t)size;
  return true;
}

static bool read_positive(const char *text, int *out)
{
  unsigned long long number;
  if (!ghcomp_parse_number(text, 1, INT_MAX, &number))
    return false;
  *out = (int)number;
  return true;
}

bool ghcomp_env_read_teams_total(const char *text, struct env_values *v)
{
  return read_positive(text, &v->settings.teams_total);
}

/* Whoever asks afterwards what this process may use, for places, hears of the subset alone; a region has as many
   threads where nobody says how many.  */
bool ghcomp_env_read_hw_subset(const char *text, struct env_values *v)
{
  struct processor_set allowed = ghcomp_places_allowed(), subset;
  if (!ghcomp_places_parse_subset(SYSTEM_DEVICES, text, &allowed, &subset))
    return false;
  ghcomp_places_limit(&subset);
  v->hw_subset = ghcomp_memory_copy_text(text);
  if (v->settings.initial.nthreads == 0)
    v->settings.initial.nthreads = ghcomp_processors_count(&subset);
  return true;
}

bool ghcomp_env_read_kmp_thread_limit(const char *text, struct env_values *v)
{
  int limit;
  if (!read_positive(text, &limit))
    return false;
  if (v->settings.initial.thread_limit == UINT_MAX)
    v->settings.initial.thread_limit = (unsigned)limit;
  return true;
}

/* ------------------------------------------------------------------------- showing */

void ghcomp_env_show_block_time(struct text *out, const struct env_values *v)
{
  uint64_t time = v->settings.block_time;
  if (time == BLOCK_TIME_USUAL)
    ghcomp_text_print(out, "DEFAULT");
  else if (time == BLOCK_TIME_INFINITE)
    ghcomp_text_print(out, "INFINITE");
  else if (time % 1000 != 0)
    ghcomp_text_print(out, "%lluus", (unsigned long long)time);
  else
    ghcomp_text_print(out, "%llu", (unsigned long long)time / 1000);
}

void ghcomp_env_show_library(struct text *out, const struct env_values *v)
{
  static const char *const names[] = {"THROUGHPUT", "SERIAL", "TURNAROUND", "THROUGHPUT"};
  ghcomp_text_print(out, "%s", names[v->library]);
}

void ghcomp_env_show_kmp_affinity(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->kmp_affinity != NULL ? v->kmp_affinity : "");
}

void ghcomp_env_show_helper_affinity(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->helper_affinity != NULL ? v->helper_affinity : "");
}

void ghcomp_env_show_helpers(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%u", v->settings.helpers);
}

void ghcomp_env_show_uses_helpers(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->no_helpers ? "FALSE" : "TRUE");
}

void ghcomp_env_show_hw_subset(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->hw_subset != NULL ? v->hw_subset : "");
}

void ghcomp_env_show_teams_total(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%d", v->settings.teams_total);
}

void ghcomp_env_show_throttling(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->settings.defers_all_tasks ? "FALSE" : "TRUE");
}

void ghcomp_env_show_inherit_modes(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->settings.keeps_modes ? "FALSE" : "TRUE");
}

void ghcomp_env_show_warnings(struct text *out, const struct env_values *v)
{
  ghcomp_text_print(out, "%s", v->settings.warnings ? "TRUE" : "FALSE");
}

void ghcomp_env_llvm_say_version(void)
{
  ghcomp_message_say("version %s, for code of GCC's, LLVM's and Intel's compilers", ghcomp_version_of_project);
}

/* ------------------------------------------------------------------ what is not here */

bool ghcomp_env_is_llvm_name(const char *entry)
{
  return strncmp(entry, "KMP_", 4) == 0 || strncmp(entry, "LIBOMP_", 7) == 0;
}

void ghcomp_env_llvm_say_unknown(bool (*has_row)(const char *entry))
{
  char names[600] = "", shown[GHCOMP_SHOWN_VALUE];
  struct text out = {names, sizeof names, 0};
  unsigned count = 0;
  for (char **entry = ghcomp_machine_environment(); entry != NULL && *entry != NULL; entry++) {
    if (!ghcomp_env_is_llvm_name(*entry) || has_row(*entry))
      continue;
    ghcomp_parse_printable(*entry, shown);
    shown[strcspn(shown, "=")] = '\0';
    ghcomp_text_print(&out, "%s%s", count++ != 0 ? ", " : "", shown);
  }
  if (count != 0)
    ghcomp_message_say("%s: LLVM's and Intel's runtimes have %s, and this one does not; nothing is changed by it "
                       "(KMP_WARNINGS=0 turns this message off)", names,
                       count == 1 ? "such a setting" : "such settings");
}

/* Those of the name before a number that makes no sense, or else cores.  */
const char *ghcomp_env_llvm_places_for(const char *text)
{
  const char *name = text != NULL ? ghcomp_places_topology_name_before_number(text) : NULL;
  return name != NULL ? name : "cores";
}

static void say_bad_affinity(const char *name, const char *text)
{
  char shown[GHCOMP_SHOWN_VALUE];
  ghcomp_message_say("%s=%s: expected none, compact, scatter, balanced or explicit, with a permute and an "
                     "offset behind, and granularity=fine, core, socket or proclist=[processors] before; no binding "
                     "is used", name, ghcomp_parse_printable(text, shown));
}

bool ghcomp_env_llvm_places(const char *text, unsigned char *bind, bool *bind_given)
{
  int how = ghcomp_places_read_kmp(text);
  if (how < 0)
    say_bad_affinity("KMP_AFFINITY", text);
  if (how <= 0)
    return false;
  *bind = (unsigned char)how;
  *bind_given = true;
  return true;
}

void ghcomp_env_llvm_helper_places(const char *text)
{
  if (!ghcomp_places_read_helpers(text))
    say_bad_affinity("KMP_HIDDEN_HELPER_AFFINITY", text);
}
