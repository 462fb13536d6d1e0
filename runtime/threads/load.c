/* Loading the GHC substrate.

   It is a library of its own, so that a program without regions does not pay for it.  It is loaded
   RTLD_LOCAL, so that no other library uses the stand-ins in it.  */
#include "threads/host.h"

#include "base/atomics.h"
#include "machine/disturbance.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RTS_LIBRARY "libghcomp_rts.so"

#ifndef GHCOMP_WITHOUT_GHC
#define GHCOMP_WITHOUT_GHC 0 /* 1: the build had no GHC, so there is no RTS beside this library */
#endif

typedef int capability_of(void);
static _Atomic(capability_of *) capability_of_self;

/* From the list of mappings, for a library that was loaded by a relative path: that path is of no
   use when the program has changed its folder.  (If the first thread has ended, only the other
   threads have the list.)  */
static bool own_path_in_maps(char *path)
{
  char line[PATH_MAX + 128];
  uintptr_t here = (uintptr_t)own_path_in_maps, from, to;
  bool found = false;
  int cancellation = ghcomp_machine_hold_cancellation();
  FILE *maps = fopen("/proc/thread-self/maps", "re");
  while (maps != NULL && !found && fgets(line, sizeof line, maps) != NULL) {
    const char *name = strchr(line, '/');
    found = sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2 && from <= here &&
            here < to && name != NULL && strlen(name) < PATH_MAX;
    if (found)
      snprintf(path, PATH_MAX, "%.*s", (int)strcspn(name, "\n"), name);
  }
  if (maps != NULL)
    fclose(maps);
  ghcomp_machine_let_cancellation(cancellation);
  return found;
}

bool ghcomp_load_own_path(char *path)
{
  Dl_info info;
  if (dladdr((void *)ghcomp_load_own_path, &info) != 0 && info.dli_fname != NULL &&
      info.dli_fname[0] == '/' && realpath(info.dli_fname, path) != NULL)
    return true;
  return own_path_in_maps(path);
}

static const char *given_rts_library(void)
{
  const char *given = secure_getenv("GHCOMP_RTS_LIBRARY");
  return given != NULL && *given != '\0' ? given : NULL;
}

bool ghcomp_load_has_rts(void)
{
  return !GHCOMP_WITHOUT_GHC || given_rts_library() != NULL;
}

/* In this library's folder, unless GHCOMP_RTS_LIBRARY names another place.  */
static bool find_rts_library(char *path)
{
  const char *given = given_rts_library();
  if (given != NULL)
    return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX;
  char own[PATH_MAX];
  const char *slash = ghcomp_load_own_path(own) ? strrchr(own, '/') : NULL;
  return slash != NULL &&
         snprintf(path, PATH_MAX, "%.*s/" RTS_LIBRARY, (int)(slash - own), own) < PATH_MAX;
}

static const struct substrate *not_loaded(char *why, size_t size, const char *reason)
{
  snprintf(why, size, "GHC's runtime system cannot be loaded (%s)", reason);
  return NULL;
}

/* True: the loader's message names a version of the C library that this system lacks, and `why`
   says so.  (A wheel may be installed on a system that is older than the RTS in it.)  */
static bool libc_is_too_old(const char *message, char *why, size_t size)
{
  const char *version = strstr(message, "GLIBC_");
  if (version == NULL)
    return false;
  snprintf(why, size, "GHC's runtime system needs %.*s and this system's C library is glibc %s",
           (int)strspn(version, "GLIBC_.0123456789"), version, gnu_get_libc_version());
  return true;
}

const struct substrate *ghcomp_load_rts(char *why, size_t size, bool *too_old)
{
  char path[PATH_MAX];
  *too_old = false;
  if (!find_rts_library(path))
    return not_loaded(why, size, "the folder of " RTS_LIBRARY " is not known");
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) {
    const char *message = dlerror();
    *too_old = libc_is_too_old(message, why, size);
    return *too_old ? NULL : not_loaded(why, size, message);
  }
  const struct substrate *ghc = dlsym(library, "ghcomp_rts_substrate");
  bool (*alone)(void) = (bool (*)(void))dlsym(library, "ghcomp_rts_alone");
  if (ghc == NULL || alone == NULL)
    return not_loaded(why, size, dlerror());
  if (!alone()) {
    snprintf(why, size, "this process has loaded another runtime system of GHC's");
    return NULL;
  }
  store_release(&capability_of_self, (capability_of *)dlsym(library, "ghcomp_rts_capability"));
  return ghc;
}

int ghcomp_load_capability(void)
{
  capability_of *capability = load_acquire(&capability_of_self); /* pairs with ghcomp_load_rts */
  return capability != NULL ? capability() : -1;
}
