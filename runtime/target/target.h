/* target regions: there are no devices, so the initial device, which is the
   host, executes them.  Spec: 5.2, chapter 13.  */
#ifndef GHCOMP_TARGET_TARGET_H
#define GHCOMP_TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>

/* A target region as the compiler describes it: `count` mapped objects with
   addresses, sizes and kinds.  */
struct target {
  int device;
  void (*fn)(void *);
  size_t count;
  void **addresses;
  const size_t *sizes;
  const unsigned short *kinds;
  unsigned thread_limit; /* 0: none */
};

/* Runs the region in a fresh initial context, on a device that is checked as
   below.  */
void ghcomp_target_run(const struct target *target);

/* Ends the process with a message when `device`, as the compiler gives it, is
   omp_invalid_device, or another than the host and OMP_TARGET_OFFLOAD is
   mandatory.  Otherwise the host stands in.  */
void ghcomp_target_require_device(int device);

/* Whether a program's device number is the host's.  */
bool ghcomp_target_is_host(int device);

/* A rectangular copy between two arrays of the host; returns 0 or EINVAL.  */
struct rectangle {
  size_t element_size;
  int dimensions;
  const size_t *volume, *to_offsets, *from_offsets, *to_sizes, *from_sizes;
};
int ghcomp_target_copy_rectangle(char *to, const char *from, const struct rectangle *r);

#endif
