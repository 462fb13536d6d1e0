/* Two threads find out whether the program is a Haskell program.  What one publishes, the other
   reads.
   code: .  */
#include "weak.h"
#include "threads/host.c"

unsigned weak_threads = 2;

bool ghcomp_elf_open(const char *path, struct image *image)
{
  return false;
}
static _Atomic uint32_t capabilities = 3;

static int yes(void)
{
  return 1;
}

void *dlsym(void *handle, const char *name)
{
  (void)handle;
  return strcmp(name, "rtsSupportsBoundThreads") == 0 ? (void *)yes : (void *)&capabilities;
}

void weak_setup(void)
{
}

void weak_thread(unsigned number)
{
  (void)number;
  weak_assert(ghcomp_host_capabilities() == 3);
}

void weak_end(void)
{
}
