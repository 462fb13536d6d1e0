/* Finds the runtime's library and programs, and puts the library into a program's environment.  */
#include "app/ghcomp.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *ghcomp_prefix(void)
{
  static char prefix[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", prefix, PATH_MAX - 1);
  if (length <= 0)
    ghcomp_fail(EXIT_UNSUITABLE, "cannot find out where this command is (/proc/self/exe): the "
                "library is looked for beside it");
  prefix[length] = '\0';
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(prefix, '/');
    if (slash != NULL)
      *slash = '\0';
  }
  return prefix;
}

const char *ghcomp_library(void)
{
  static char library[PATH_MAX + 64];
  static const char *const folders[] = {"lib/ghc-openmp", "lib"};
  const char *prefix = ghcomp_prefix();
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(library, sizeof library, "%s/%s/libgomp.so.1", prefix, folders[i]);
    if (access(library, R_OK) == 0)
      return library;
  }
  ghcomp_fail(EXIT_UNSUITABLE, "the library is not at %s: build it with 'make' or install it",
              library);
}

static char *join(const char *folder, size_t length, const char *name)
{
  char *path = malloc(length + strlen(name) + 2);
  if (path == NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "out of memory");
  sprintf(path, "%.*s/%s", (int)length, folder, name);
  return path;
}

bool ghcomp_is_same_file(const char *one, const char *other)
{
  struct stat a, b;
  return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* A folder may have the program's name; the search goes on behind it.  */
static bool is_program(const char *path)
{
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *ghcomp_find_program(const char *name)
{
  if (strchr(name, '/') != NULL)
    return access(name, F_OK) == 0 ? strdup(name) : NULL;
  const char *list = getenv("PATH");
  if (list == NULL)
    list = "/usr/local/bin:/usr/bin:/bin";
  for (;;) {
    size_t length = strcspn(list, ":");
    char *path = join(length != 0 ? list : ".", length != 0 ? length : 1, name);
    if (is_program(path))
      return path;
    free(path);
    if (list[length] == '\0')
      return NULL;
    list += length + 1;
  }
}

char *ghcomp_demand_program(const char *name, bool runs)
{
  struct stat status;
  char *path = ghcomp_find_program(name);
  if (path == NULL)
    ghcomp_fail(EXIT_NOT_FOUND, "%s: there is no such program%s", name, runs ? "" : " or library");
  if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) || (runs && access(path, X_OK) != 0))
    ghcomp_fail(EXIT_NOT_EXECUTABLE, "%s: this is not %s", path,
                runs ? "an executable file" : "a file that can be a program or a library");
  return path;
}

/* -------------------------------------------- what stands in a program's environment */

static void put_in_front(const char *variable, const char *value)
{
  const char *old = getenv(variable);
  bool alone = old == NULL || *old == '\0';
  char *both = malloc(strlen(value) + (alone ? 0 : strlen(old)) + 2);
  if (both == NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "out of memory");
  sprintf(both, "%s%s%s", value, alone ? "" : ":", alone ? "" : old);
  setenv(variable, both, 1);
  free(both);
}

/* The dynamic linker splits its lists at these characters, which cannot be quoted. */
static void refuse_folder(const char *library)
{
  if (strpbrk(library, ": ;") != NULL)
    ghcomp_fail(EXIT_UNSUITABLE, "the library's path, %s, has a colon, semicolon or space in it, "
                "which LD_LIBRARY_PATH and LD_PRELOAD cannot express: move it", library);
}

void ghcomp_put_folder_in_front(const char *library)
{
  refuse_folder(library);
  char folder[PATH_MAX + 64];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(library, '/') - library), library);
  put_in_front("LD_LIBRARY_PATH", folder);
}

void ghcomp_preload(const char *library)
{
  put_in_front("LD_PRELOAD", library);
}
