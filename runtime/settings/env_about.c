/* What the verbose table says of the process and of this library: facts, in the manner of _OPENMP,
   which no variable sets.  While the library is loaded, no substrate has started; omp_display_env
   shows the one in force.  */
#include "base/memory.h"
#include "base/message.h"
#include "machine/process.h"
#include "settings/env.h"
#include "threads/host.h"
#include "threads/substrate.h"

#include <limits.h>

static void show_library(struct text *out)
{
  char *path = ghcomp_memory_get(PATH_MAX);
  bool known = ghcomp_load_own_path(path);
  ghcomp_text_print(out, "  _GHCOMP_LIBRARY = '%s'\n", known ? path : "not known: /proc is not there");
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
