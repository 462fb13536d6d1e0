/* Memory by LLVM's and Intel's names.  Spec: 5.2, 18.13.

   There is one heap, that of omp_alloc, whose blocks know their allocator.  A block of kmp_malloc is one of
   the default allocator's, so nothing goes wrong where a program gives it back by omp_free.  */
#include "abi/kmp/kmp.h"
#include "memory/allocator.h"

ENTRY_POINTS(kmp_memory);

/* ------------------------------------------------------------- what compilers call */

EXPORT void *__kmpc_alloc(int32_t gtid, size_t size, omp_allocator_handle_t allocator)
{
  (void)gtid;
  return omp_alloc(size, allocator);
}

EXPORT void *__kmpc_aligned_alloc(int32_t gtid, size_t alignment, size_t size, omp_allocator_handle_t allocator)
{
  (void)gtid;
  return omp_aligned_alloc(alignment, size, allocator);
}

EXPORT void *__kmpc_calloc(int32_t gtid, size_t count, size_t size, omp_allocator_handle_t allocator)
{
  (void)gtid;
  return omp_calloc(count, size, allocator);
}

EXPORT void *__kmpc_realloc(int32_t gtid, void *memory, size_t size, omp_allocator_handle_t allocator,
                            omp_allocator_handle_t free_allocator)
{
  (void)gtid;
  return omp_realloc(memory, size, allocator, free_allocator);
}

EXPORT void __kmpc_free(int32_t gtid, void *memory, omp_allocator_handle_t allocator)
{
  (void)gtid;
  omp_free(memory, allocator);
}

EXPORT omp_allocator_handle_t __kmpc_init_allocator(int32_t gtid, omp_memspace_handle_t space, int32_t count,
                                                    const omp_alloctrait_t *traits)
{
  (void)gtid;
  return omp_init_allocator(space, count, traits);
}

EXPORT void __kmpc_destroy_allocator(int32_t gtid, omp_allocator_handle_t allocator)
{
  (void)gtid;
  omp_destroy_allocator(allocator);
}

EXPORT void __kmpc_set_default_allocator(int32_t gtid, omp_allocator_handle_t allocator)
{
  (void)gtid;
  omp_set_default_allocator(allocator);
}

EXPORT omp_allocator_handle_t __kmpc_get_default_allocator(int32_t gtid)
{
  (void)gtid;
  return omp_get_default_allocator();
}

/* -------------------------------------------------------------- what programs call */

static void *get(size_t alignment, size_t size, bool zero)
{
  return ghcomp_allocator_get(alignment, size != 0 ? size : 1, omp_default_mem_alloc, zero);
}

EXPORT void *kmp_malloc(size_t size)
{
  return get(1, size, false);
}

EXPORT void *kmp_aligned_malloc(size_t size, size_t alignment)
{
  return get(alignment, size, false);
}

EXPORT void *kmp_calloc(size_t count, size_t size)
{
  size_t total;
  return __builtin_mul_overflow(count, size, &total) ? NULL : get(1, total, true);
}

EXPORT void kmp_free(void *memory)
{
  ghcomp_allocator_free(memory);
}

EXPORT void *kmp_realloc(void *memory, size_t size)
{
  if (memory == NULL)
    return kmp_malloc(size);
  if (size != 0)
    return ghcomp_allocator_resize(memory, size, omp_null_allocator);
  kmp_free(memory);
  return NULL;
}

/* The same for C, under the names that LLVM's and Intel's header once gave them; and for Fortran.  */
#define ALSO(name, kmpc_name)                                                                       \
  __asm__(".globl " kmpc_name "\n.type " kmpc_name ", %function\n.set " kmpc_name ", " name)
ALSO("kmp_malloc", "kmpc_malloc");
ALSO("kmp_aligned_malloc", "kmpc_aligned_malloc");
ALSO("kmp_calloc", "kmpc_calloc");
ALSO("kmp_realloc", "kmpc_realloc");
ALSO("kmp_free", "kmpc_free");

EXPORT void *kmp_malloc_(const size_t *size)
{
  return kmp_malloc(*size);
}

EXPORT void *kmp_aligned_malloc_(const size_t *size, const size_t *alignment)
{
  return kmp_aligned_malloc(*size, *alignment);
}

EXPORT void *kmp_calloc_(const size_t *count, const size_t *size)
{
  return kmp_calloc(*count, *size);
}

EXPORT void *kmp_realloc_(void **memory, const size_t *size)
{
  return kmp_realloc(*memory, *size);
}

EXPORT void kmp_free_(void **memory)
{
  kmp_free(*memory);
}

/* ------------------------------------------------- the handles as variables

   For programs whose header has no enumerators.  The names here are those of enumerators, so the variables
   get theirs by asm.  */
#define HANDLE(name, number)                                                                        \
  extern const uintptr_t variable_##name __asm__(#name) __attribute__((visibility("default")));     \
  const uintptr_t variable_##name = (number)

HANDLE(omp_null_allocator, 0);
HANDLE(omp_default_mem_alloc, 1);
HANDLE(omp_large_cap_mem_alloc, 2);
HANDLE(omp_const_mem_alloc, 3);
HANDLE(omp_high_bw_mem_alloc, 4);
HANDLE(omp_low_lat_mem_alloc, 5);
HANDLE(omp_cgroup_mem_alloc, 6);
HANDLE(omp_pteam_mem_alloc, 7);
HANDLE(omp_thread_mem_alloc, 8);
HANDLE(omp_default_mem_space, 99); /* 0 until LLVM 19; see memory/allocator.c */
HANDLE(omp_large_cap_mem_space, 1);
HANDLE(omp_const_mem_space, 2);
HANDLE(omp_high_bw_mem_space, 3);
HANDLE(omp_low_lat_mem_space, 4);
HANDLE(omp_cgroup_mem_space, 5);
HANDLE(omp_null_mem_space, 0);
HANDLE(kmp_max_mem_alloc, 1024);
HANDLE(kmp_max_mem_space, 1024);
