/* target regions.  There are no devices, so the initial device, the host, executes them.  Spec:
   5.2, chapter 13.  */
#ifndef GHCOMP_TARGET_TARGET_H
#define GHCOMP_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>

/* A target region as the compiler describes it: `count` mapped objects with addresses, sizes and
   kinds.  */
struct target {
  int device;
  void (*fn)(void *);
  size_t count;
  void **addresses;
  const size_t *sizes;
  const unsigned short *kinds;
  unsigned thread_limit; /* 0: none */
};

/* Checks the device as below, and executes the region in a new initial context.  */
void ghcomp_target_run(const struct target *target);

/* Ends the process with a message in two cases: `device`, as the compiler gives it, is
   omp_invalid_device; or it is not the host, and OMP_TARGET_OFFLOAD is mandatory.  Otherwise the
   host is used in place of the device.  */
void ghcomp_target_require_device(int device);

/* True: the program's device number names the host.  */
bool ghcomp_target_is_host(int device);

/* A rectangular copy between two arrays of the host.  The function returns 0 or EINVAL.  */
struct rectangle {
  size_t element_size;
  int dimensions;
  const size_t *volume, *to_offsets, *from_offsets, *to_sizes, *from_sizes;
};
int ghcomp_target_copy_rectangle(char *to, const char *from, const struct rectangle *r);

#endif
