/* target, target data and related constructs, on the host.  Spec: 5.2, chapter 13.  */
#include "target/target.h"

#include "abi/border.h"
#include "task/task_wait.h"

#include <limits.h>

ENTRY_POINTS(gomp_target);

enum { FLAG_NOWAIT = 1 };

/* Device-specific arguments: a list of (identifier, value).  */
enum {
  ARG_DEVICE_MASK = 0x7f,
  ARG_NEXT_IS_VALUE = 0x80,
  ARG_ID_MASK = 0xff00,
  ARG_THREAD_LIMIT = 2 << 8,
  ARG_VALUE_SHIFT = 16,
};

static unsigned thread_limit_of(void **args)
{
  unsigned limit = 0;
  while (args != NULL && *args != NULL) {
    intptr_t id = (intptr_t)*args++;
    intptr_t value = (id & ARG_NEXT_IS_VALUE) != 0 ? (intptr_t)*args++ : id >> ARG_VALUE_SHIFT;
    if ((id & ARG_DEVICE_MASK) == 0 && (id & ARG_ID_MASK) == ARG_THREAD_LIMIT && value > 0)
      limit = value > INT_MAX ? INT_MAX : (unsigned)value;
  }
  return limit;
}

/* A region with nowait may wait: it is executed here, after its predecessors.  */
EXPORT void GOMP_target_ext(int device, void (*fn)(void *), size_t mapnum, void **hostaddrs,
                            size_t *sizes, unsigned short *kinds, unsigned flags, void **depend,
                            void **args)
{
  (void)flags;
  struct target target = {device, fn, mapnum, hostaddrs, sizes, kinds, thread_limit_of(args)};
  if (depend != NULL)
    ghcomp_task_wait_depend(ghcomp_self(), depend);
  ghcomp_target_run(&target);
}

/* The form of GCC 4.9, with kinds of one byte and no firstprivate.  */
EXPORT void GOMP_target(int device, void (*fn)(void *), const void *unused, size_t mapnum,
                        void **hostaddrs, size_t *sizes, unsigned char *kinds)
{
  (void)unused, (void)mapnum, (void)sizes, (void)kinds;
  struct target target = {.device = device, .fn = fn, .addresses = hostaddrs};
  ghcomp_target_run(&target);
}

EXPORT void GOMP_target_data_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                                 unsigned short *kinds)
{
  (void)mapnum, (void)hostaddrs, (void)sizes, (void)kinds;
  ghcomp_target_require_device(device);
}

EXPORT void GOMP_target_data(int device, const void *unused, size_t mapnum, void **hostaddrs,
                             size_t *sizes, unsigned char *kinds)
{
  (void)unused, (void)mapnum, (void)hostaddrs, (void)sizes, (void)kinds;
  ghcomp_target_require_device(device);
}

EXPORT void GOMP_target_end_data(void)
{
}

EXPORT void GOMP_target_update_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                                   unsigned short *kinds, unsigned flags, void **depend)
{
  (void)mapnum, (void)hostaddrs, (void)sizes, (void)kinds, (void)flags;
  ghcomp_target_require_device(device);
  if (depend != NULL)
    ghcomp_task_wait_depend(ghcomp_self(), depend);
}

EXPORT void GOMP_target_update(int device, const void *unused, size_t mapnum, void **hostaddrs,
                               size_t *sizes, unsigned char *kinds)
{
  (void)unused, (void)mapnum, (void)hostaddrs, (void)sizes, (void)kinds;
  ghcomp_target_require_device(device);
}

EXPORT void GOMP_target_enter_exit_data(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
                                        unsigned short *kinds, unsigned flags, void **depend)
{
  GOMP_target_update_ext(device, mapnum, hostaddrs, sizes, kinds, flags, depend);
}

EXPORT void *GOMP_target_map_indirect_ptr(void *pointer)
{
  return pointer;
}

/* There is no device for device images.  */
EXPORT void GOMP_offload_register_ver(unsigned version, const void *host_table, int target_type,
                                      const void *target_data)
{
  (void)version, (void)host_table, (void)target_type, (void)target_data;
}

EXPORT void GOMP_offload_register(const void *host_table, int target_type, const void *target_data)
{
  (void)host_table, (void)target_type, (void)target_data;
}

EXPORT void GOMP_offload_unregister_ver(unsigned version, const void *host_table, int target_type,
                                        const void *target_data)
{
  (void)version, (void)host_table, (void)target_type, (void)target_data;
}

EXPORT void GOMP_offload_unregister(const void *host_table, int target_type,
                                    const void *target_data)
{
  (void)host_table, (void)target_type, (void)target_data;
}
