/* libgomp.so.1, libomp.so.5 and libiomp5.so are one image with one state, whichever of them is loaded
   next, and by whichever name.
   link: -ldl */
#include <dlfcn.h>
#include <link.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int images; /* with code: libomp.so and libiomp5.so have names only */

static int count(struct dl_phdr_info *info, size_t size, void *unused)
{
  const char *name = strrchr(info->dlpi_name, '/');
  (void)size, (void)unused;
  name = name != NULL ? name + 1 : info->dlpi_name;
  if (strncmp(name, "libgomp", 7) == 0 || strncmp(name, "libomp", 6) == 0 || strncmp(name, "libiomp", 7) == 0)
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
      images += info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0;
  return 0;
}

int main(void)
{
  static const char *const names[] = {"libomp.so.5", "libiomp5.so", "libgomp.so.1", "libomp.so", "libghcomp.so"};
  char path[4096];
  omp_set_num_threads(3);
  for (unsigned i = 0; i < 2 * sizeof names / sizeof *names; i++) {
    const char *name = names[i / 2];
    snprintf(path, sizeof path, "%s/%s", getenv("RUNTIME"), name);
    void *library = dlopen(i % 2 ? path : name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      printf("%s\n", dlerror());
      return 1;
    }
    int (*of_gcc)(void) = (int (*)(void))dlvsym(library, "omp_get_max_threads", "OMP_1.0");
    int (*of_llvm)(void) = (int (*)(void))dlvsym(library, "omp_get_max_threads", "VERSION");
    int (*unnamed)(void) = (int (*)(void))dlsym(library, "omp_get_max_threads");
    void (*fork)(void) = (void (*)(void))dlvsym(library, "__kmpc_fork_call", "VERSION");
    if (of_gcc == NULL || of_llvm != of_gcc || unnamed != of_gcc || of_gcc() != 3 || fork == NULL) {
      printf("%s: not the routines of the other names\n", name);
      return 1;
    }
  }
  dl_iterate_phdr(count, NULL);
  printf("%d images\n", images);
  return images != 1;
}
