/* Device routines.  The host is the only device.  Spec: 5.2, 18.7, 18.8.  */
#include "abi/border.h"
#include "base/memory.h"
#include "target/target.h"
#include "task/lineage.h"
#include "task/task_wait.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

ENTRY_POINTS(omp_device);

EXPORT int omp_get_num_devices(void)
{
  return 0;
}

EXPORT int omp_get_initial_device(void)
{
  return 0;
}

EXPORT int omp_get_device_num(void)
{
  return 0;
}

EXPORT int omp_is_initial_device(void)
{
  return 1;
}

/* omp_default_device changes nothing.  A number that names no device counts as the host.  */
EXPORT void omp_set_default_device(int device)
{
  if (device == DEVICE_DEFAULT)
    return;
  if (device < 0 && device != DEVICE_INITIAL && device != DEVICE_INVALID)
    device = 0;
  ghcomp_icv_scope_own(ghcomp_self())->default_device = device;
}

EXPORT int omp_get_default_device(void)
{
  return ghcomp_icv()->default_device;
}

/* ---------------------------------------------------------------------- memory */

EXPORT void *omp_target_alloc(size_t size, int device)
{
  return ghcomp_target_is_host(device) ? ghcomp_memory_try(size) : NULL;
}

EXPORT void omp_target_free(void *memory, int device)
{
  if (ghcomp_target_is_host(device))
    ghcomp_memory_release(memory);
}

EXPORT int omp_target_is_present(const void *pointer, int device)
{
  return pointer != NULL && ghcomp_target_is_host(device);
}

EXPORT int omp_target_is_accessible(const void *pointer, size_t size, int device)
{
  return pointer != NULL && size != 0 && ghcomp_target_is_host(device);
}

EXPORT void *omp_get_mapped_ptr(const void *pointer, int device)
{
  return ghcomp_target_is_host(device) ? (void *)pointer : NULL;
}

/* The host's memory is never associated with anything.  */
EXPORT int omp_target_associate_ptr(const void *host, const void *there, size_t size,
                                    size_t offset, int device)
{
  (void)host, (void)there, (void)size, (void)offset, (void)device;
  return EINVAL;
}

EXPORT int omp_target_disassociate_ptr(const void *host, int device)
{
  (void)host, (void)device;
  return EINVAL;
}

EXPORT int omp_target_memcpy(void *to, const void *from, size_t length, size_t to_offset,
                             size_t from_offset, int to_device, int from_device)
{
  if (!ghcomp_target_is_host(to_device) || !ghcomp_target_is_host(from_device))
    return EINVAL;
  memcpy((char *)to + to_offset, (const char *)from + from_offset, length);
  return 0;
}

EXPORT int omp_target_memcpy_rect(void *to, const void *from, size_t element_size, int dimensions,
                                  const size_t *volume, const size_t *to_offsets,
                                  const size_t *from_offsets, const size_t *to_sizes,
                                  const size_t *from_sizes, int to_device, int from_device)
{
  if (to == NULL && from == NULL)
    return INT_MAX; /* the number of dimensions that are supported */
  if (!ghcomp_target_is_host(to_device) || !ghcomp_target_is_host(from_device) || dimensions < 1)
    return EINVAL;
  struct rectangle r = {element_size, dimensions,  volume,    to_offsets,
                        from_offsets, to_sizes, from_sizes};
  return ghcomp_target_copy_rectangle(to, from, &r);
}

EXPORT void *omp_target_memset(void *memory, int value, size_t length, int device)
{
  return ghcomp_target_is_host(device) ? memset(memory, value, length) : memory;
}

/* The asynchronous forms copy at once, after the tasks that their depend objects name.  */
static void wait_for_objects(int count, omp_depend_t *objects)
{
  if (count <= 0 || objects == NULL)
    return;
  void **depend = ghcomp_memory_get((5 + (size_t)count) * sizeof *depend);
  memset(depend, 0, 5 * sizeof *depend);
  depend[1] = (void *)(uintptr_t)count;
  for (int i = 0; i < count; i++)
    depend[5 + i] = &objects[i];
  ghcomp_task_wait_depend(ghcomp_self(), depend);
  ghcomp_memory_release(depend);
}

EXPORT int omp_target_memcpy_async(void *to, const void *from, size_t length, size_t to_offset,
                                   size_t from_offset, int to_device, int from_device,
                                   int count, omp_depend_t *objects)
{
  wait_for_objects(count, objects);
  return omp_target_memcpy(to, from, length, to_offset, from_offset, to_device, from_device);
}

EXPORT int omp_target_memcpy_rect_async(void *to, const void *from, size_t element_size,
                                        int dimensions, const size_t *volume,
                                        const size_t *to_offsets, const size_t *from_offsets,
                                        const size_t *to_sizes, const size_t *from_sizes,
                                        int to_device, int from_device, int count,
                                        omp_depend_t *objects)
{
  wait_for_objects(count, objects);
  return omp_target_memcpy_rect(to, from, element_size, dimensions, volume, to_offsets,
                                from_offsets, to_sizes, from_sizes, to_device, from_device);
}

EXPORT void *omp_target_memset_async(void *memory, int value, size_t length, int device,
                                     int count, omp_depend_t *objects)
{
  wait_for_objects(count, objects);
  return omp_target_memset(memory, value, length, device);
}

/* ----------------------------------------------------------------- unique names */

#define HOST_UID "OMP_INITIAL_DEVICE"

EXPORT const char *omp_get_uid_from_device(int device)
{
  return ghcomp_target_is_host(device) ? HOST_UID : NULL;
}

EXPORT int omp_get_device_from_uid(const char *uid)
{
  return uid != NULL && strcmp(uid, HOST_UID) == 0 ? DEVICE_INITIAL : DEVICE_INVALID;
}
