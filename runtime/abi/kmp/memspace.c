/* Memory spaces and allocators of devices; devices' names.  Spec: 6.0, chapter 27, 25.6 and 25.7.

   The host is the only device, and its memory is one resource.  So a space that devices share is the space that was
   asked for, and its allocator is the predefined one, which needs no destruction.  These names are LLVM's: libgomp
   does not have them, or gives them another form.  */
#include "abi/kmp/kmp.h"

#include "abi/omp/interop_types.h"
#include "memory/allocator.h"
#include "target/target.h"

ENTRY_POINTS(kmp_memspace);

typedef omp_memspace_handle_t memory_space;
#define NO_SPACE ((memory_space)0) /* omp_null_mem_space in LLVM's header */
#define NO_DEVICE (-2)             /* omp_invalid_device there */

/* ------------------------------------------------------------------ of devices */

/* No device at all: all devices.  */
static bool are_host(int count, const int *devices)
{
  if (count < 0 || (count > 0 && devices == NULL))
    return false;
  for (int i = 0; i < count; i++)
    if (!ghcomp_target_is_host(devices[i]))
      return false;
  return true;
}

static memory_space space_of(int count, const int *devices, memory_space space)
{
  return are_host(count, devices) && ghcomp_allocator_of_space(space) != omp_null_allocator ? space : NO_SPACE;
}

static omp_allocator_handle_t allocator_of(int count, const int *devices, memory_space space)
{
  return are_host(count, devices) ? ghcomp_allocator_of_space(space) : omp_null_allocator;
}

/* For C, and for Fortran, which passes everything by reference.  */
#define OF_DEVICES(type, name, value)                                                               \
  EXPORT type name(int count, const int *devices, memory_space space)                               \
  {                                                                                                 \
    return value(count, devices, space);                                                            \
  }                                                                                                 \
  EXPORT type name##_(const int *count, const int *devices, const memory_space *space)              \
  {                                                                                                 \
    return value(*count, devices, *space);                                                          \
  }
#define OF_DEVICE(type, name, value)                                                                \
  EXPORT type name(int device, memory_space space)                                                  \
  {                                                                                                 \
    return value(1, &device, space);                                                                \
  }                                                                                                 \
  EXPORT type name##_(const int *device, const memory_space *space)                                 \
  {                                                                                                 \
    return value(1, device, *space);                                                                \
  }
#define OF_ALL(type, name, value)                                                                   \
  EXPORT type name(memory_space space)                                                              \
  {                                                                                                 \
    return value(0, NULL, space);                                                                   \
  }                                                                                                 \
  EXPORT type name##_(const memory_space *space)                                                    \
  {                                                                                                 \
    return value(0, NULL, *space);                                                                  \
  }

OF_DEVICES(memory_space, omp_get_devices_memspace, space_of)
OF_DEVICES(memory_space, omp_get_devices_and_host_memspace, space_of)
OF_DEVICE(memory_space, omp_get_device_memspace, space_of)
OF_DEVICE(memory_space, omp_get_device_and_host_memspace, space_of)
OF_ALL(memory_space, omp_get_devices_all_memspace, space_of)
OF_DEVICES(omp_allocator_handle_t, omp_get_devices_allocator, allocator_of)
OF_DEVICES(omp_allocator_handle_t, omp_get_devices_and_host_allocator, allocator_of)
OF_DEVICE(omp_allocator_handle_t, omp_get_device_allocator, allocator_of)
OF_DEVICE(omp_allocator_handle_t, omp_get_device_and_host_allocator, allocator_of)
OF_ALL(omp_allocator_handle_t, omp_get_devices_all_allocator, allocator_of)

/* ------------------------------------------------------------------- resources */

EXPORT int omp_get_memspace_num_resources(memory_space space)
{
  return ghcomp_allocator_of_space(space) != omp_null_allocator;
}

EXPORT int omp_get_memspace_num_resources_(const memory_space *space)
{
  return omp_get_memspace_num_resources(*space);
}

/* The only part of a space is the whole; no space for any other.  */
EXPORT memory_space omp_get_submemspace(memory_space space, int count, const int *resources)
{
  bool whole = count == 1 && resources != NULL && resources[0] == 0;
  return whole && omp_get_memspace_num_resources(space) == 1 ? space : NO_SPACE;
}

EXPORT memory_space omp_get_submemspace_(const memory_space *space, const int *count, const int *resources)
{
  return omp_get_submemspace(*space, *count, resources);
}

/* Memory that a device's thread groups share (the dyn_groupprivate clause): the host has none.  */
EXPORT void *omp_get_dyn_gprivate_ptr(size_t offset, int group)
{
  (void)offset, (void)group;
  return NULL;
}

EXPORT void *omp_get_dyn_gprivate_nofb_ptr(size_t offset, int group)
{
  (void)offset, (void)group;
  return NULL;
}

EXPORT size_t omp_get_dyn_gprivate_size(int group)
{
  (void)group;
  return 0;
}

EXPORT memory_space omp_get_dyn_gprivate_memspace(int group)
{
  (void)group;
  return NO_SPACE;
}

/* ----------------------------------------------------------------------- names */

/* LLVM's header has another number for no device; its Fortran form is a C function by reference.  */
EXPORT int ghcomp_kmp_get_device_from_uid(const char *uid)
{
  int device = omp_get_device_from_uid(uid);
  return ghcomp_target_is_host(device) ? omp_get_initial_device() : NO_DEVICE;
}

EXPORT const char *ghcomp_kmp_get_uid_from_device_(const int *device)
{
  return omp_get_uid_from_device(*device);
}
