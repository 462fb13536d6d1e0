/* kmp_*, kmpc_*, ompc_* and omp_* that only LLVM's header has: each getter returns what its setter set, in C,
   in the forms for Fortran and by older names; masks, memory and locks.  GCC's programs call them by address.  */
#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                         \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      failures++;                                                                                \
      printf("line %d: expected %s\n", __LINE__, #condition);                                    \
    }                                                                                            \
  } while (0)

static void *look(const char *name)
{
  void *address = dlsym(RTLD_DEFAULT, name);
  if (address == NULL) {
    printf("%s is missing\n", name);
    failures++;
  }
  return address;
}

/* NAME(RESULT, ARGUMENT TYPES, ARGUMENTS)  */
#define CALL(name, result, types, arguments) (((result(*) types)look(name)) arguments)
#define GET(name) CALL(name, int, (void), ())
#define SET(name, value) CALL(name, void, (int), (value))
#define SET_BY_REFERENCE(name, value) CALL(name, void, (int *), (&(int){value}))

static void check_block_time(void)
{
  CHECK(GET("kmp_get_blocktime") == 200);
  SET("kmp_set_blocktime", 0);
  CHECK(GET("kmp_get_blocktime") == 0);
  SET_BY_REFERENCE("kmp_set_blocktime_", 3);
  CHECK(GET("kmp_get_blocktime_") == 3);
  SET("kmpc_set_blocktime", INT_MAX);
  CHECK(GET("kmp_get_blocktime") == INT_MAX);
  SET("kmp_set_blocktime", -5);
  CHECK(GET("kmp_get_blocktime") == 0);
#pragma omp parallel num_threads(4)
  {
#pragma omp barrier
  }
  SET("kmp_set_blocktime", 200);
  CHECK(GET("kmp_get_blocktime") == 200);
}

static void check_library(void)
{
  CHECK(GET("kmp_get_library") == 3);
  CALL("kmp_set_library_serial", void, (void), ());
  CHECK(GET("kmp_get_library") == 1 && omp_get_max_threads() == 1);
  SET("kmp_set_library", 2);
  CHECK(GET("kmp_get_library") == 2 && GET("kmp_get_blocktime") == INT_MAX && omp_get_max_threads() > 0);
  SET("kmpc_set_library", 7);
  CHECK(GET("kmp_get_library") == 2);
  SET_BY_REFERENCE("kmp_set_library_", 3);
  CHECK(GET("kmp_get_library_") == 3 && GET("kmp_get_blocktime") == 200);
}

static void check_stack(void)
{
  size_t usual = CALL("kmp_get_stacksize_s", size_t, (void), ());
  CHECK(usual >= 16384);
  SET("kmp_set_stacksize", 1 << 20);
  CHECK(GET("kmp_get_stacksize") == 1 << 20);
  CALL("kmp_set_stacksize_s", void, (size_t), ((size_t)1 << 33));
  CHECK(GET("kmp_get_stacksize") == INT_MAX);
  CHECK(CALL("kmp_get_stacksize_s_", size_t, (void), ()) == (size_t)1 << 33);
  SET_BY_REFERENCE("kmp_set_stacksize_", 5);
  CHECK(GET("kmp_get_stacksize_") == 16384);
  CALL("kmpc_set_stacksize_s", void, (size_t), (usual));
}

static void check_defaults(void)
{
  CALL("kmp_set_defaults", void, (const char *), ("KMP_BLOCKTIME=4|OMP_NUM_THREADS=3"));
  CHECK(GET("kmp_get_blocktime") == 4 && omp_get_max_threads() == 3);
  CALL("kmp_set_defaults_", void, (const char *, size_t), ("KMP_BLOCKTIME=200  beyond", 19));
  CHECK(GET("kmp_get_blocktime") == 200);
  CALL("ompc_set_num_threads", void, (int), (2));
  CHECK(omp_get_max_threads() == 2);
  CALL("ompc_set_dynamic", void, (int), (1));
  CHECK(omp_get_dynamic() == 1);
  CALL("ompc_set_max_active_levels", void, (int), (3));
  CHECK(omp_get_max_active_levels() == 3);
  omp_set_dynamic(0);
#pragma omp parallel num_threads(3)
#pragma omp master
  CHECK(CALL("ompc_get_team_size", int, (int), (1)) == omp_get_num_threads() &&
        GET("kmp_get_num_known_threads") >= 3);
  SET("kmp_set_disp_num_buffers", 16);
  CALL("kmp_set_warnings_off", void, (void), ());
  CALL("kmp_set_warnings_on", void, (void), ());
  CHECK(CALL("omp_control_tool", int, (int, int, void *), (1, 0, NULL)) == -2);
}

static void check_memory(void)
{
  char *text = CALL("kmp_malloc", void *, (size_t), (10));
  strcpy(text, "nine char");
  text = CALL("kmp_realloc", void *, (void *, size_t), (text, 100000));
  CHECK(strcmp(text, "nine char") == 0);
  CALL("kmp_free", void, (void *), (text));
  char *aligned = CALL("kmp_aligned_malloc", void *, (size_t, size_t), (100, 4096));
  CHECK((uintptr_t)aligned % 4096 == 0);
  CALL("kmp_free_", void, (void **), ((void **)&aligned));
  char *zero = CALL("kmpc_calloc", void *, (size_t, size_t), (100, 3));
  for (int i = 0; i < 300; i++)
    CHECK(zero[i] == 0);
  CALL("kmpc_free", void, (void *), (zero));
  CHECK(CALL("kmp_calloc", void *, (size_t, size_t), (SIZE_MAX / 2, 3)) == NULL);
  void *nothing = CALL("kmp_malloc", void *, (size_t), (0));
  CHECK(nothing != NULL);
  CALL("kmp_free", void, (void *), (nothing));
  int *numbers = CALL("__kmpc_alloc", void *, (int, size_t, uintptr_t), (0, 400, 0));
  numbers[99] = 5;
  numbers = CALL("__kmpc_realloc", void *, (int, void *, size_t, uintptr_t, uintptr_t), (0, numbers, 4000, 0, 0));
  CHECK(numbers[99] == 5);
  CALL("__kmpc_free", void, (int, void *, uintptr_t), (0, numbers, 0));
  omp_alloctrait_t trait = {omp_atk_alignment, 256};
  uintptr_t own = CALL("__kmpc_init_allocator", uintptr_t, (int, uintptr_t, int, void *), (0, 0, 1, &trait));
  void *memory = CALL("__kmpc_aligned_alloc", void *, (int, size_t, size_t, uintptr_t), (0, 8, 8, own));
  CHECK((uintptr_t)memory % 256 == 0);
  omp_free(memory, omp_null_allocator);
  CALL("__kmpc_destroy_allocator", void, (int, uintptr_t), (0, own));
  /* LLVM's names for memory of devices; it is the host's memory where the host is the only device */
  for (uintptr_t handle = 100; handle <= 102; handle++) {
    memory = omp_alloc(10, (omp_allocator_handle_t)handle);
    CHECK(memory != NULL);
    omp_free(memory, (omp_allocator_handle_t)handle);
  }
  CHECK(*(uintptr_t *)look("omp_thread_mem_alloc") == omp_thread_mem_alloc);
  CHECK(*(uintptr_t *)look("omp_low_lat_mem_space") == omp_low_lat_mem_space);
}

static void check_masks(void)
{
  void *mask = NULL;
  cpu_set_t before, now;
  sched_getaffinity(0, sizeof before, &before);
  CALL("kmp_create_affinity_mask", void, (void **), (&mask));
  CHECK(CALL("kmp_get_affinity", int, (void **), (&mask)) == 0);
  int most = GET("kmp_get_affinity_max_proc"), first = -1;
  CHECK(most >= CPU_COUNT(&before));
  for (int i = 0; i < most; i++) {
    CHECK(CALL("kmp_get_affinity_mask_proc", int, (int, void **), (i, &mask)) == !!CPU_ISSET(i, &before));
    if (first < 0 && CPU_ISSET(i, &before))
      first = i;
    CALL("kmpc_unset_affinity_mask_proc", int, (int, void **), (i, &mask));
  }
  CHECK(CALL("kmp_set_affinity", int, (void **), (&mask)) < 0); /* without a processor */
  CHECK(CALL("kmp_set_affinity_mask_proc_", int, (int *, void **), (&first, &mask)) == 0);
  CHECK(CALL("kmp_set_affinity_mask_proc", int, (int, void **), (most, &mask)) < 0);
  CHECK(CALL("kmp_set_affinity_mask_proc", int, (int, void **), (-1, &mask)) < 0);
  CHECK(CALL("kmp_set_affinity", int, (void **), (&mask)) == 0);
  sched_getaffinity(0, sizeof now, &now);
  CHECK(CPU_COUNT(&now) == 1 && CPU_ISSET(first, &now));
  sched_setaffinity(0, sizeof before, &before);
  CALL("kmp_destroy_affinity_mask", void, (void **), (&mask));
  CHECK(mask == NULL && CALL("kmp_get_affinity", int, (void **), (&mask)) < 0);
}

/* Locks made in LLVM's eight bytes work with GCC's names, whose locks have sixteen; and vice versa.  */
static void check_locks(void)
{
  struct {
    uint64_t before, lock, after;
  } small = {1, 0, 1};
  omp_lock_t lock;
  omp_nest_lock_t large;
  long count = 0;
  void (*init)(void *) = dlvsym(RTLD_DEFAULT, "omp_init_nest_lock", "VERSION");
  void (*set)(void *) = dlvsym(RTLD_DEFAULT, "omp_set_nest_lock", "VERSION");
  void (*unset)(void *) = dlvsym(RTLD_DEFAULT, "omp_unset_nest_lock", "VERSION");
  CHECK(init != NULL && set != NULL && unset != NULL && dlsym(RTLD_DEFAULT, "omp_init_nest_lock") == (void *)init);
  init(&small.lock);
  omp_init_nest_lock(&large);
  CALL("omp_init_lock_with_hint", void, (omp_lock_t *, int), (&lock, 2));
#pragma omp parallel num_threads(4)
  for (int i = 0; i < 1000; i++) {
    omp_set_nest_lock((omp_nest_lock_t *)&small.lock);
    set(&small.lock);
    set(&large);
    CHECK(omp_test_nest_lock(&large) == 2);
    count++;
    unset(&large);
    omp_unset_nest_lock(&large);
    unset(&small.lock);
    omp_unset_nest_lock((omp_nest_lock_t *)&small.lock);
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
  }
  CHECK(count == 4000 && small.before == 1 && small.after == 1);
  omp_destroy_nest_lock((omp_nest_lock_t *)&small.lock);
  CHECK(small.lock == 0);
  omp_destroy_nest_lock(&large);
  CALL("omp_init_nest_lock_with_hint", void, (void *, int), (&small.lock, 2));
  CHECK(CALL("__kmpc_test_nest_lock", int, (void *, int, void *), (NULL, 0, &small.lock)) == 1);
  CALL("__kmpc_destroy_nest_lock", void, (void *, int, void *), (NULL, 0, &small.lock));
}

static void check_cancellation(void)
{
  int status[5] = {0};
#pragma omp parallel num_threads(2)
  {
#pragma omp cancel parallel if (omp_get_cancellation())
#pragma omp master
    status[1] = CALL("kmp_get_cancellation_status", int, (int), (1));
  }
  for (int kind = 0; kind < 5; kind++)
    CHECK(status[kind] == 0 && CALL("kmp_get_cancellation_status", int, (int), (kind)) == 0);
}

int main(void)
{
  check_block_time();
  check_library();
  check_stack();
  check_defaults();
  check_memory();
  check_masks();
  check_locks();
  check_cancellation();
  return failures != 0;
}
