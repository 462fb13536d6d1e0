/* The floating-point modes of a thread: rounding, flushing of denormal numbers, exceptions that trap; not the flags of
   exceptions that have been.  */
#ifndef GHCOMP_MACHINE_FLOAT_MODES_H
#define GHCOMP_MACHINE_FLOAT_MODES_H

#include <stdbool.h>
#include <stdint.h>

struct float_modes {
#if defined(__aarch64__)
  uint64_t fpcr;
#else
  uint32_t mxcsr;
  uint16_t x87;
#endif
};

#define MXCSR_MODES 0xffffffc0u /* without the six flags */

/* Of the calling thread.  Cost: some cycles.  */
static inline struct float_modes ghcomp_machine_float_modes(void)
{
  struct float_modes modes = {0};
#if defined(__x86_64__)
  __asm__ __volatile__("stmxcsr %0" : "=m"(modes.mxcsr));
  __asm__ __volatile__("fnstcw %0" : "=m"(modes.x87));
  modes.mxcsr &= MXCSR_MODES;
#elif defined(__aarch64__)
  __asm__ __volatile__("mrs %0, fpcr" : "=r"(modes.fpcr));
#endif
  return modes;
}

static inline bool ghcomp_machine_float_modes_equal(struct float_modes a, struct float_modes b)
{
#if defined(__aarch64__)
  return a.fpcr == b.fpcr;
#else
  return a.mxcsr == b.mxcsr && a.x87 == b.x87;
#endif
}

/* The calling thread has them from now on.  Cost: some cycles; more, if they change.  */
static inline void ghcomp_machine_set_float_modes(struct float_modes modes)
{
  if (ghcomp_machine_float_modes_equal(ghcomp_machine_float_modes(), modes))
    return;
#if defined(__x86_64__)
  __asm__ __volatile__("ldmxcsr %0" : : "m"(modes.mxcsr));
  __asm__ __volatile__("fldcw %0" : : "m"(modes.x87));
#elif defined(__aarch64__)
  __asm__ __volatile__("msr fpcr, %0" : : "r"(modes.fpcr));
#endif
}

#endif
