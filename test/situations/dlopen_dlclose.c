/* The library is loaded and unloaded, as the dependency of a plug-in.  */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic int calls;

static void body(void *data)
{
  (void)data;
  calls++;
}

int main(void)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/libgomp.so.1", getenv("RUNTIME"));
  for (int i = 1; i <= 5; i++) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
      return 2;
    void (*parallel)(void (*)(void *), void *, unsigned, unsigned) =
        (void (*)(void (*)(void *), void *, unsigned, unsigned))dlsym(library, "GOMP_parallel");
    parallel(body, NULL, 4, 0);
    dlclose(library);
    if (calls != 4 * i)
      return 3;
  }
  return 0;
}
