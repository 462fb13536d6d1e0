/* GHCOMP_SUBSTRATE chooses the substrate, and threads of a C host have Capabilities.  */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
  int sum = 0;
  const char *(*name)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "ghcomp_substrate_name");
  unsigned (*capabilities)(void) = (unsigned (*)(void))dlsym(RTLD_DEFAULT, "ghcomp_capabilities");
  if (name == NULL || strcmp(name(), "none") != 0)
    return 2;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  sum++;
  if (strcmp(name(), getenv("GHCOMP_SUBSTRATE")) != 0)
    return 3;
  return (capabilities() > 0) == (strcmp(name(), "ghc") == 0) && sum == 2 ? 0 : 4;
}
