/* Which runtime do the regions of this program's C code reach?  Asked at start-up,
   because a wrong answer is silent: everything works, on two pools of threads.  */
#include "base/message.h"

#include <dlfcn.h>
#include <stddef.h>

/* Haskell code calls these, also where it was inlined into another library.  */
#pragma GCC visibility push(default)

static const char nowhere[] = "nowhere (the executable does not show its symbols)";

/* NULL: this one.  Else the file of the library that stands before it.  */
const char *ghcomp_runtime_other(void)
{
  Dl_info reached, own;
  /* Through the program, not RTLD_DEFAULT: GHC links Haskell libraries so that they
     find their own names first.  */
  void *program = dlopen(NULL, RTLD_LAZY);
  void *entry = program != NULL ? dlsym(program, "GOMP_parallel") : NULL;
  if (program != NULL)
    dlclose(program);
  if (entry == NULL)
    return nowhere;
  if (dladdr(entry, &reached) == 0 || dladdr((void *)ghcomp_runtime_other, &own) == 0)
    return NULL; /* a program without a dynamic linker has this runtime only */
  return reached.dli_fbase == own.dli_fbase ? NULL : reached.dli_fname;
}

/* Not static: see ghcomp_start.  */
void ghcomp_runtime_check(void);

__attribute__((constructor)) void ghcomp_runtime_check(void)
{
  const char *other = ghcomp_runtime_other();
  /* Where the package is opened by a running program, as the compiler does for a
     splice, its names can be seen only when that is done.  */
  if (other != NULL && other != nowhere)
    ghcomp_message_say("OpenMP regions of this program's C code reach %s, not the package "
                       "ghc-openmp, and run on a thread pool of their own: let ghc-openmp come "
                       "before -lgomp (and -fopenmp) where the program is linked", other);
}
