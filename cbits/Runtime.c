/* Which runtime the regions of this program's C code reach.  The package checks this at start-up,
   because nobody would notice a wrong runtime: everything works, on two pools of threads.  */
#include "base/message.h"
#include "base/stats.h"

#include <Rts.h>

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>

/* Haskell code calls these functions, also code that was inlined into another library.  */
#pragma GCC visibility push(default)

static const char nowhere[] = "nowhere (the executable does not show its symbols)";

/* Looks a name up in the program and in the libraries with global symbols.  RTLD_DEFAULT does not
   do that: GHC links Haskell libraries so that they find their own names first.  */
static void *seen_by_all(const char *name)
{
  void *program = dlopen(NULL, RTLD_LAZY);
  void *entry = program != NULL ? dlsym(program, name) : NULL;
  if (program != NULL)
    dlclose(program);
  return entry;
}

static int has_interpreter(struct dl_phdr_info *info, size_t size, void *found)
{
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_INTERP)
      *(bool *)found = true;
  return 1; /* the executable comes first, and only that is needed */
}

/* Without a dynamic linker there is no other library either.  */
static bool is_fully_static(void)
{
  bool dynamic = false;
  dl_iterate_phdr(has_interpreter, &dynamic);
  return !dynamic;
}

/* NULL: regions reach this runtime.  Otherwise the file of the library that comes before it.  */
const char *ghcomp_runtime_other(void)
{
  Dl_info reached, own;
  void *entry = seen_by_all("GOMP_parallel");
  if (entry == NULL)
    return is_fully_static() ? NULL : nowhere;
  if (dladdr(entry, &reached) == 0 || dladdr((void *)ghcomp_runtime_other, &own) == 0)
    return NULL;
  return reached.dli_fbase == own.dli_fbase ? NULL : reached.dli_fname;
}

/* GHCi opens the package's library with local symbols, so C code that is loaded later would find
   the system's runtime.  If the program is a Haskell program that uses the same RTS as this
   library, the library's names are made global.  */
static void show_names(void)
{
  Dl_info own;
  if (seen_by_all("n_capabilities") == (void *)&n_capabilities &&
      dladdr((void *)ghcomp_runtime_other, &own) != 0)
    dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL); /* never closed */
}

/* Above the table of GHCOMP_STATS=1: why every loop had one thread.  NULL: that is not so.  */
static const char *why_one_thread(void)
{
  if (!rtsSupportsBoundThreads())
    return "this Haskell program is not linked with -threaded: each of its loops ran on its caller alone";
  if (n_capabilities == 1)
    return "this Haskell program had one Capability: each of its loops and regions had one thread (+RTS -N gives it more)";
  return NULL;
}

/* Not static: see ghcomp_start.  */
void ghcomp_runtime_check(void);

__attribute__((constructor)) void ghcomp_runtime_check(void)
{
  const char *other = ghcomp_runtime_other();
  ghcomp_stats_note = why_one_thread;
  if (other == nowhere)
    show_names();
  else if (other != NULL)
    ghcomp_message_say("OpenMP regions of this program's C code reach %s, not the package "
                       "ghc-openmp, and run on a thread pool of their own: let ghc-openmp come "
                       "before -lgomp (and -fopenmp) where the program is linked", other);
}

#pragma GCC visibility pop
