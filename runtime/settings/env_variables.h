/* The table of variables, and those of them that are there: what env_variables.c, env.c (reading) and env_display.c
   share.  */
#ifndef GHCOMP_SETTINGS_ENV_VARIABLES_H
#define GHCOMP_SETTINGS_ENV_VARIABLES_H

#include "settings/env.h"

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

extern const struct env_row ghcomp_env_rows[];
extern const struct env_row *const ghcomp_env_rows_end;

/* The row of "NAME=…", or NULL.  */
const struct env_row *ghcomp_env_row_of(const char *entry);

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

/* Sorted by row, form, device and position.  Kept for the table that is displayed.  */
extern struct variable *ghcomp_env_variables;
extern size_t ghcomp_env_variable_count;

/* Finds them in the environment.  False: there are none.
   Called by: the process's start, once.  */
bool ghcomp_env_collect(void);

/* ------------------------------------------------------------------- displaying */

/* OMP_DISPLAY_ENV, to standard error: `read` is what the variables gave; settings are those of now.  `llvm`: also
   the variables of LLVM's runtime.  */
void ghcomp_env_display_table(const struct env_values *read, bool verbose, bool llvm);

/* KMP_SETTINGS, likewise.  */
void ghcomp_env_display_llvm(const struct env_values *read);

#endif
