/* Loading the GHC substrate.

   It is a library of its own, so that a program without regions does not pay for it.  It is loaded
   RTLD_LOCAL, so that no other library uses the stand-ins in it.  */
#include "threads/host.h"

#include "base/atomics.h"
#include "machine/disturbance.h"
#include "base/message.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RTS_LIBRARY "libghcomp_rts.so"

#ifndef GHCOMP_WITHOUT_GHC
#define GHCOMP_WITHOUT_GHC 0 /* 1: the build had no GHC, so there is no RTS beside this library */
#endif

typedef int capability_of(void);
static _Atomic(capability_of *) capability_of_self;

/* From the list of mappings, for a library that was loaded by a relative path: that path is of no
   use when the program has changed its folder.  (If the first thread has ended, only the other
   threads have the list.)  */
static char *own_path_in_maps(void)
{
  uintptr_t here = (uintptr_t)own_path_in_maps, from, to;
  char *line = NULL, *path = NULL;
  size_t size = 0;
  int cancellation = ghcomp_machine_hold_cancellation();
  FILE *maps = fopen("/proc/thread-self/maps", "re");
  while (maps != NULL && path == NULL && getline(&line, &size, maps) > 0) {
    const char *name = strchr(line, '/');
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from, &to) == 2 && from <= here && here < to && name != NULL)
      path = strndup(name, strcspn(name, "\n"));
  }
  free(line);
  if (maps != NULL)
    fclose(maps);
  ghcomp_machine_let_cancellation(cancellation);
  return path;
}

char *ghcomp_load_own_path(void)
{
  Dl_info info;
  char *path = NULL;
  if (dladdr((void *)ghcomp_load_own_path, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/')
    path = realpath(info.dli_fname, NULL);
  return path != NULL ? path : own_path_in_maps();
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

/* The path of the substrate in the folder of this file; NULL: there is none.  */
static char *beside(const char *file)
{
  const char *slash = strrchr(file, '/');
  char *path;
  return slash != NULL && asprintf(&path, "%.*s/" RTS_LIBRARY, (int)(slash - file), file) >= 0 ? path : NULL;
}

/* Where the loader found this library, without a look at symbolic links.  */
static char *beside_found(void)
{
  Dl_info info;
  char *path = dladdr((void *)beside_found, &info) != 0 && info.dli_fname != NULL && info.dli_fname[0] == '/' ? beside(info.dli_fname) : NULL;
  if (path == NULL || access(path, R_OK) == 0)
    return path;
  free(path);
  return NULL;
}

/* In this library's folder, unless GHCOMP_RTS_LIBRARY names another place.  NULL: that folder is not known.  The caller
   frees it.  (Paths are not on the stack, because the program's thread that comes here may have a small one.)  */
static char *find_rts_library(void)
{
  const char *given = given_rts_library();
  if (given != NULL)
    return strdup(given);
  char *path = beside_found();
  if (path != NULL)
    return path;
  char *own = ghcomp_load_own_path();
  path = own != NULL ? beside(own) : NULL;
  free(own);
  return path;
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

/* An upgrade may leave, or put, the file of another version beside the library that a process has loaded already.  What the two
   tell each other may differ then, so nothing else of it is looked at.  */
static bool is_of_this_version(void *library, const char *path, char *why, size_t size)
{
  const char *version = dlsym(library, "ghcomp_rts_version");
  if (version != NULL && strcmp(version, ghcomp_version_of_project) == 0)
    return true;
  snprintf(why, size, "GHC's runtime system cannot be loaded (%.500s: expected version %s, and found %.40s)", path,
           ghcomp_version_of_project, version != NULL ? version : "none");
  return false;
}

/* What the library at the path offers; NULL, and `why`.  */
static const struct substrate *load_from(const char *path, char *why, size_t size, bool *too_old)
{
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == NULL) {
    const char *message = dlerror();
    *too_old = libc_is_too_old(message, why, size);
    return *too_old ? NULL : not_loaded(why, size, message);
  }
  if (!is_of_this_version(library, path, why, size))
    return NULL;
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

const struct substrate *ghcomp_load_rts(char *why, size_t size, bool *too_old)
{
  char *path = find_rts_library();
  *too_old = false;
  if (path == NULL)
    return not_loaded(why, size, "the folder of " RTS_LIBRARY " is not known");
  const struct substrate *ghc = load_from(path, why, size, too_old);
  free(path);
  return ghc;
}

int ghcomp_load_capability(void)
{
  capability_of *capability = load_acquire(&capability_of_self); /* pairs with ghcomp_load_rts */
  return capability != NULL ? capability() : -1;
}
