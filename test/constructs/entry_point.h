/* Entry points of LLVM's compilers' code, which a program of GCC's cannot link with.  */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *find(const char *name)
{
  void *runtime = dlopen("libgomp.so.1", RTLD_NOW), *address = runtime != NULL ? dlvsym(runtime, name, "VERSION") : NULL;
  if (address == NULL) {
    printf("%s: not there\n", name);
    exit(1);
  }
  return address;
}
