/* Stands in place of libgomp's header of this name: its futex calls and its pause are the engine's.  */
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

void scale_pause(void);
static inline void futex_wait(int *word, int value) { syscall(SYS_futex, word, 128, value, (void *)0); }
static inline void futex_wake(int *word, int count) { syscall(SYS_futex, word, 129, count, (void *)0); }
static inline void cpu_relax(void) { scale_pause(); }
static inline void atomic_write_barrier(void) { __sync_synchronize(); }
