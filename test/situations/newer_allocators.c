/* GCC 16's memory space and allocator that host and devices share (ompx_gnu_managed_*): on a host without devices
   they exist, and each allocation falls back, as under libgomp.  The numbers, because older headers lack the names.  */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define MANAGED_SPACE ((omp_memspace_handle_t)200)
#define PINNED ((omp_allocator_handle_t)200)
#define MANAGED ((omp_allocator_handle_t)201)

static int works(omp_allocator_handle_t allocator)
{
  char *memory = omp_alloc(100, allocator);
  if (memory == NULL)
    return 0;
  memset(memory, 1, 100);
  omp_free(memory, allocator);
  return 1;
}

int main(void)
{
  omp_alloctrait_t null_fallback = {omp_atk_fallback, omp_atv_null_fb};
  omp_allocator_handle_t usual = omp_init_allocator(MANAGED_SPACE, 0, NULL);
  omp_allocator_handle_t nothing = omp_init_allocator(MANAGED_SPACE, 1, &null_fallback);
  omp_alloctrait_t to_other[] = {{omp_atk_fallback, omp_atv_allocator_fb}, {omp_atk_fb_data, (omp_uintptr_t)nothing}};
  omp_allocator_handle_t chain = omp_init_allocator(MANAGED_SPACE, 2, to_other);
  if (usual == omp_null_allocator || nothing == omp_null_allocator || chain == omp_null_allocator)
    return 1;
  if (!works(usual) || works(nothing) || works(chain) || !works(MANAGED) || !works(PINNED))
    return 2;
  char *memory = omp_alloc(10, usual), *same = memory;
  if (memory == NULL || omp_realloc(memory, 20, nothing, usual) != NULL)
    return 3;
  memory = omp_realloc(same, 5000, usual, usual);
  if (memory == NULL)
    return 4;
  omp_free(memory, usual);
  omp_destroy_allocator(usual);
  omp_destroy_allocator(nothing);
  omp_destroy_allocator(chain);
  return omp_init_allocator((omp_memspace_handle_t)150, 0, NULL) == omp_null_allocator ? 0 : 5;
}
