/* Both sides must reach one image of one runtime: the same addresses, settings and threads.  */
#include "mixed.h"

#include <link.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

BOTH(void *, routine, void);
BOTH(void, set_threads, int threads);
BOTH(int, max_threads, void);
BOTH(void, who, pid_t *threads);

#ifdef MAIN
enum { THREADS = 4 };

static int count_runtimes(struct dl_phdr_info *info, size_t size, void *count)
{
  (void)size;
  const char *name = strrchr(info->dlpi_name, '/');
  name = name != NULL ? name + 1 : info->dlpi_name;
  if (strncmp(name, "libgomp", 7) == 0 || strncmp(name, "libomp", 6) == 0 || strncmp(name, "libiomp", 7) == 0) {
    printf("%s\n", info->dlpi_name);
    ++*(int *)count;
  }
  return 0;
}

int main(void)
{
  int runtimes = 0;
  pid_t of_gcc[THREADS], of_clang[THREADS];
  dl_iterate_phdr(count_runtimes, &runtimes);
  CHECK(runtimes == 1);
  CHECK(gcc_routine() == clang_routine());
  gcc_set_threads(3);
  CHECK(clang_max_threads() == 3);
  clang_set_threads(THREADS);
  CHECK(gcc_max_threads() == THREADS);
  omp_set_dynamic(0);
  for (int round = 0; round < 20; round++) {
    gcc_who(of_gcc);
    clang_who(of_clang);
    CHECK(memcmp(of_gcc, of_clang, sizeof of_gcc) == 0);
  }
  return mixed_wrong != 0;
}
#else
void *SIDE(routine)(void)
{
  return (void *)omp_get_wtime;
}

void SIDE(set_threads)(int threads)
{
  omp_set_num_threads(threads);
}

int SIDE(max_threads)(void)
{
  return omp_get_max_threads();
}

void SIDE(who)(pid_t *threads)
{
#pragma omp parallel
  threads[omp_get_thread_num()] = gettid();
}
#endif
