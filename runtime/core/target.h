/* target regions: there are no devices, so the initial device, which is the
   host, executes them.  Spec: 5.2, chapter 13.  */
#ifndef GHCOMP_CORE_TARGET_H
#define GHCOMP_CORE_TARGET_H

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

/* Runs the region in a fresh initial context.  Ends the process with a message
   when OMP_TARGET_OFFLOAD is mandatory.  */
void ghcomp_target_run(const struct target *target);

/* The message of OMP_TARGET_OFFLOAD=mandatory, where it applies.  */
void ghcomp_target_require_device(int device);

/* A rectangular copy between two arrays of the host; returns 0 or EINVAL.  */
struct rectangle {
  size_t element_size;
  int dimensions;
  const size_t *volume, *to_offsets, *from_offsets, *to_sizes, *from_sizes;
};
int ghcomp_target_copy_rectangle(char *to, const char *from, const struct rectangle *r);

#endif
