/* A C program with OpenMP regions that loads a Haskell library.
   usage: host LIBRARY local|global before|after
   before: the library is loaded before the first region; after: the first region comes first.  */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int expect(int holds, const char *what)
{
  if (!holds)
    printf("expected %s\n", what);
  return holds;
}

static int region_works(void)
{
  int count = 0;
#pragma omp parallel num_threads(3) reduction(+ : count)
  count += 1;
  return expect(count == 3, "a team of 3");
}

static int plugin_works(const char *path, int scope)
{
  static int argc = 1;
  static char name[] = "host", *list[] = {name, NULL}, **argv = list;
  void *library = dlopen(path, RTLD_NOW | scope);
  if (library == NULL) {
    puts(dlerror());
    return 0;
  }
  void (*init)(int *, char ***) = (void (*)(int *, char ***))dlsym(library, "hs_init");
  long (*sum)(long) = (long (*)(long))dlsym(library, "plugin_sum");
  init(&argc, &argv);
  return expect(sum(100000) == 5000050000, "the sum from Haskell");
}

int main(int argc, char **argv)
{
  if (argc != 4)
    return 2;
  int scope = strcmp(argv[2], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL, ok = 1;
  if (strcmp(argv[3], "after") == 0)
    ok &= region_works();
  ok &= plugin_works(argv[1], scope);
  ok &= region_works();
  ok &= plugin_works(argv[1], scope);
  const char *(*name)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "ghcomp_substrate_name");
  puts(name != NULL ? name() : "libgomp");
  return !ok;
}
