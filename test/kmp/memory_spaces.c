/* Memory spaces, allocators and traits of OpenMP 6.0 with the numbers of LLVM 23's header (6.0, chapter 27): the
   default space is 99 there, and 0 is no space.  The host is the only device.  Also devices' names.  */
#include <dlfcn.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uintptr_t space;
typedef uintptr_t allocator;
/* Newer headers declare these with their own types; here they have other names.  */
#define ROUTINE(type, name, ...) __attribute__((weak)) type name(__VA_ARGS__) __asm__("omp_" #name)
ROUTINE(space, get_devices_memspace, int, const int *, space);
ROUTINE(space, get_devices_memspace_, const int *, const int *, const space *);
ROUTINE(space, get_device_and_host_memspace, int, space);
ROUTINE(space, get_devices_all_memspace, space);
ROUTINE(allocator, get_device_allocator, int, space);
ROUTINE(allocator, get_device_allocator_, const int *, const space *);
ROUTINE(allocator, get_devices_all_allocator, space);
ROUTINE(int, get_memspace_num_resources, space);
ROUTINE(space, get_submemspace, space, int, const int *);
ROUTINE(void *, get_dyn_gprivate_ptr, size_t, int);
ROUTINE(size_t, get_dyn_gprivate_size, int);

enum { DEFAULT = 99, LARGE = 1, LOW = 4, CGROUP = 5, NONE = 0, TARGET_HOST = 100 };
static int wrong;

#define CHECK(good) ((good) ? (void)0 : (void)(wrong++, printf("wrong: %s\n", #good)))

static void spaces(void)
{
  int host[] = {0, -1}, other[] = {0, 7}, ask = 1;
  space low = LOW;
  CHECK(get_devices_memspace(2, host, LARGE) == LARGE);
  CHECK(get_devices_memspace_(&ask, host, &low) == LOW);
  CHECK(get_devices_memspace(2, other, LARGE) == NONE);
  CHECK(get_devices_memspace(-1, host, LARGE) == NONE);
  CHECK(get_devices_memspace(1, NULL, LARGE) == NONE);
  CHECK(get_device_and_host_memspace(omp_get_initial_device(), DEFAULT) == DEFAULT);
  CHECK(get_device_and_host_memspace(3, DEFAULT) == NONE);
  CHECK(get_devices_all_memspace(CGROUP) == CGROUP);
  CHECK(get_devices_all_memspace(77) == NONE);
  CHECK(get_memspace_num_resources(DEFAULT) == 1);
  CHECK(get_memspace_num_resources(77) == 0);
  CHECK(get_memspace_num_resources((uintptr_t)&low) == 0);
  CHECK(get_submemspace(LOW, 1, other) == LOW);
  CHECK(get_submemspace(LOW, 2, other) == NONE);
  CHECK(get_submemspace(LOW, 1, other + 1) == NONE);
  CHECK(get_submemspace(LOW, 1, NULL) == NONE);
  CHECK(get_submemspace(77, 1, other) == NONE);
  CHECK(get_dyn_gprivate_ptr(0, 0) == NULL && get_dyn_gprivate_size(1) == 0);
}

static void use(allocator which)
{
  char *memory = omp_alloc(1000, (omp_allocator_handle_t)which);
  CHECK(memory != NULL);
  memset(memory, 1, 1000);
  omp_free(memory, (omp_allocator_handle_t)which);
  omp_destroy_allocator((omp_allocator_handle_t)which);
}

static void allocators(void)
{
  int host = -1;
  space large = LARGE;
  CHECK(get_device_allocator(0, DEFAULT) == (allocator)omp_default_mem_alloc);
  CHECK(get_device_allocator_(&host, &large) == (allocator)omp_large_cap_mem_alloc);
  CHECK(get_device_allocator(4, DEFAULT) == 0);
  CHECK(get_devices_all_allocator(CGROUP) == (allocator)omp_cgroup_mem_alloc);
  CHECK(get_devices_all_allocator(77) == 0);
  use(get_devices_all_allocator(DEFAULT));
}

static allocator with_trait(unsigned key, uintptr_t value)
{
  omp_alloctrait_t trait = {(omp_alloctrait_key_t)key, value};
  return (allocator)omp_init_allocator((omp_memspace_handle_t)DEFAULT, 1, &trait);
}

static void traits(void)
{
  enum { ACCESS = 3, PIN = 9, PREFERRED, DEVICE_ACCESS, TARGET_ACCESS, ATOMIC_SCOPE, PART_SIZE };
  enum { DEVICE = 7, ALL = 19, SINGLE, MULTIPLE, MEMSPACE };
  static const struct {
    unsigned key;
    uintptr_t value;
    int good;
  } rows[] = {{ACCESS, ALL, 1}, {ACCESS, DEVICE, 1}, {ACCESS, MEMSPACE, 1}, {ACCESS, SINGLE, 0}, {PIN, 0, 1},
              {PIN, 5, 0}, {PREFERRED, (uintptr_t)-1, 1}, {DEVICE_ACCESS, SINGLE, 1}, {TARGET_ACCESS, MULTIPLE, 1},
              {DEVICE_ACCESS, ALL, 0}, {ATOMIC_SCOPE, ALL, 1}, {ATOMIC_SCOPE, DEVICE, 1}, {ATOMIC_SCOPE, 8, 0},
              {PART_SIZE, 4096, 1}, {PART_SIZE, 0, 0}, {15, 1, 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    allocator made = with_trait(rows[i].key, rows[i].value);
    if ((made != 0) != rows[i].good) {
      printf("wrong: trait %u with value %td\n", rows[i].key, (ptrdiff_t)rows[i].value);
      wrong++;
    }
    if (made != 0)
      use(made);
  }
  CHECK(omp_init_allocator((omp_memspace_handle_t)TARGET_HOST, 0, NULL) == omp_null_allocator);
  use((allocator)omp_init_allocator((omp_memspace_handle_t)CGROUP, 0, NULL));
}

/* Under LLVM's node: the device of the host's name is the number that omp_get_initial_device gives.  */
static void names(void)
{
  const char *(*name)(int) = (const char *(*)(int))dlvsym(RTLD_DEFAULT, "omp_get_uid_from_device", "VERSION");
  const char *(*name_)(const int *) =
      (const char *(*)(const int *))dlvsym(RTLD_DEFAULT, "omp_get_uid_from_device_", "VERSION");
  int (*device)(const char *) = (int (*)(const char *))dlvsym(RTLD_DEFAULT, "omp_get_device_from_uid", "VERSION");
  int host = omp_get_initial_device();
  CHECK(name(host) != NULL && device(name(host)) == host && strcmp(name(host), name_(&host)) == 0);
  CHECK(name(9) == NULL && device("no such device") == -2 && device(NULL) == -2);
}

int main(void)
{
  if (&get_submemspace == NULL) {
    puts("this library has no routines of OpenMP 6.0");
    return 0;
  }
  spaces();
  allocators();
  traits();
  names();
  puts(wrong == 0 ? "good" : "bad");
  return wrong != 0;
}
