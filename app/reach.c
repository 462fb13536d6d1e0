/* How the library reaches a program: what stands in its environment.  */
#include "app/ghcomp.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The dynamic linker splits its lists at these, and knows no way to quote them. */
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
