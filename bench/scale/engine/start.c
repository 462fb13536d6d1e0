/* The process's first thread becomes a virtual one before the runtime's constructors run.  Addresses decide which objects share
   a line, so they must be the same in each run: the program starts itself again without the system's random addresses.  */
#include "engine.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <unistd.h>

#define FSGSBASE 2 /* in AT_HWCAP2, since Linux 5.9 */
#define ARENAS_OF_EACH 8 /* processors; malloc's own number, but it would count the real ones */
#define AGAIN "SCALE_ADDRESSES_ARE_FIXED"

/* Where a container forbids it, addresses remain random; numbers then differ in the third digit, if at all.  */
static void fix_addresses(char **arguments)
{
  int now = personality(0xffffffff);
  if (now == -1 || now & ADDR_NO_RANDOMIZE || getenv(AGAIN) != NULL || personality((unsigned long)now | ADDR_NO_RANDOMIZE) == -1)
    return;
  setenv(AGAIN, "1", 1);
  execv("/proc/self/exe", arguments);
}

__attribute__((constructor(101))) static void start(int count, char **arguments)
{
  (void)count;
  if (!(getauxval(AT_HWCAP2) & FSGSBASE))
    stop(4, "needs a processor and a kernel (Linux 5.9) with FSGSBASE");
  fix_addresses(arguments);
  read_costs();
  mallopt(M_ARENA_MAX, ARENAS_OF_EACH * processors);
  read_report();
  make_lines();
  make_first_thread();
}
