/* Included before everything else that runs in the engine: the processor's pause and clock are the engine's.  */
#ifndef SCALE_HOOKS_H
#define SCALE_HOOKS_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
void scale_pause(void);
uint64_t scale_cycles(void);
void scale_nothing(void);
#ifdef __cplusplus
}
#endif
#define _mm_pause scale_pause
#define __builtin_ia32_pause scale_pause
#define __builtin_ia32_rdtsc scale_cycles
#define __builtin_ia32_lfence scale_nothing
#endif
