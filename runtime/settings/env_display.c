/* The tables of settings: OMP_DISPLAY_ENV and omp_display_env in libgomp's form, KMP_SETTINGS in LLVM's.  */
#include "settings/env_variables.h"

#include "base/memory.h"
#include "machine/disturbance.h"

#include <stdio.h>

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

static void show_table(struct text *out, const struct env_values *now, bool verbose, bool llvm)
{
  size_t i = 0;
  ghcomp_text_print(out, "\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n");
  if (verbose)
    ghcomp_env_show_about(out);
  for (const struct env_row *row = ghcomp_env_rows; row < ghcomp_env_rows_end; row++) {
    if (row->show != NULL && (verbose || (row->flags & VERBOSE) == 0) && (llvm || (row->flags & LLVM) == 0))
      show_line(out, (row->flags & GLOBAL) != 0 ? "all" : "host", row, now);
    for (; i < ghcomp_env_variable_count && ghcomp_env_variables[i].row == row; i++)
      show_device_line(out, &ghcomp_env_variables[i]);
  }
  ghcomp_text_print(out, "OPENMP DISPLAY ENVIRONMENT END\n");
}

/* KMP_SETTINGS, in the form of LLVM's runtime: what the user set, and what is in force.  */
static void show_like_llvm(struct text *out, const struct env_values *now, bool verbose, bool llvm)
{
  (void)verbose, (void)llvm;
  ghcomp_text_print(out, "\nUser settings:\n\n");
  for (size_t i = 0; i < ghcomp_env_variable_count; i++)
    ghcomp_text_print(out, "   %s\n", *ghcomp_env_variables[i].entry);
  ghcomp_text_print(out, "\nEffective settings:\n\n");
  for (const struct env_row *row = ghcomp_env_rows; row < ghcomp_env_rows_end; row++) {
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

/* Writes to standard error what `show` writes.  */
static void show_all(void (*show)(struct text *out, const struct env_values *now, bool verbose, bool llvm),
                     const struct env_values *read, bool verbose, bool llvm)
{
  struct env_values now = *read;
  now.settings = ghcomp_settings;
  char *format = ghcomp_affinity_var_copy();
  now.settings.affinity_format = format;
  struct text out = {NULL, 0, 0};
  show(&out, &now, verbose, llvm);
  size_t size = out.length + 1;
  out = (struct text){ghcomp_memory_get(size), size, 0};
  show(&out, &now, verbose, llvm);
  int cancellation = ghcomp_machine_hold_cancellation();
  fwrite(out.buffer, 1, out.length < size ? out.length : size - 1, stderr);
  ghcomp_machine_let_cancellation(cancellation);
  ghcomp_memory_release(out.buffer);
  ghcomp_memory_release(format);
}

void ghcomp_env_display_table(const struct env_values *read, bool verbose, bool llvm)
{
  show_all(show_table, read, verbose, llvm);
}

void ghcomp_env_display_llvm(const struct env_values *read)
{
  show_all(show_like_llvm, read, true, true);
}
