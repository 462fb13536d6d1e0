/* Special device numbers, such as the default device's, on a machine whose only device is the host.  The
   numbers are written out because GCC 12's omp.h has no names for them, and its library no unique names.
   gcc: clang links no omp_target_* without LLVM's library for offloading */
#include <dlfcn.h>
#include <omp.h>
#include <stdlib.h>

enum { INITIAL = -1, INVALID = -4, DEFAULT = -5 };

static const char *uid_of(int device)
{
  const char *(*get)(int) = (const char *(*)(int))dlsym(RTLD_DEFAULT, "omp_get_uid_from_device");
  return get != NULL ? get(device) : NULL;
}

static int default_device_after(int device)
{
  omp_set_default_device(device);
  return omp_get_default_device();
}

static void expect(int holds)
{
  if (!holds)
    abort();
}

int main(void)
{
  int object = 1;
  expect(omp_get_default_device() == 0);
  expect(default_device_after(INITIAL) == INITIAL);
  expect(default_device_after(DEFAULT) == INITIAL); /* DEFAULT keeps the device as it is */
  expect(default_device_after(3) == 3);
  expect(!omp_target_is_present(&object, DEFAULT) && omp_target_alloc(8, DEFAULT) == NULL);
  expect(default_device_after(INVALID) == INVALID);
  expect(default_device_after(DEFAULT) == INVALID);
  expect(uid_of(DEFAULT) == NULL);
  expect(default_device_after(0) == 0);
  expect(uid_of(INITIAL) != NULL && uid_of(DEFAULT) == uid_of(INITIAL));
  expect(omp_target_is_present(&object, DEFAULT) && omp_target_is_present(&object, 0));
  expect(!omp_target_is_present(NULL, 0) && !omp_target_is_present(&object, INVALID));
  expect(!omp_target_is_present(&object, -6) && !omp_target_is_present(&object, 1));
  int *memory = omp_target_alloc(sizeof *memory, DEFAULT), back = 0;
  expect(memory != NULL);
  *memory = 42;
  expect(omp_target_memcpy(&back, memory, sizeof back, 0, 0, INITIAL, DEFAULT) == 0 && back == 42);
  expect(omp_target_memcpy(&back, memory, sizeof back, 0, 0, INITIAL, INVALID) != 0);
  omp_target_free(memory, DEFAULT);
  return 0;
}
