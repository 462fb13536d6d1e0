/* Where things are: our library, and programs.  */
#include "app/ghcomp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
    if (*name != '\0' && access(path, X_OK) == 0)
      return path;
    free(path);
    if (list[length] == '\0')
      return NULL;
    list += length + 1;
  }
}
