/* The functions of the explorer that a model calls; see README.md.  */
#ifndef WEAK_H
#define WEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum weak_order { WEAK_RELAXED, WEAK_ACQUIRE, WEAK_RELEASE, WEAK_ACQ_REL, WEAK_SEQ_CST };
enum weak_change { WEAK_SWAP, WEAK_ADD, WEAK_SUB, WEAK_OR, WEAK_AND };

/* Atomic operations; `site` is the number of the place in the source, 0: none.  */
uint64_t weak_load(unsigned site, const volatile void *p, size_t size, enum weak_order order);
void weak_store(unsigned site, volatile void *p, size_t size, uint64_t value, enum weak_order order);
uint64_t weak_update(unsigned site, volatile void *p, size_t size, enum weak_change change,
                     uint64_t operand, enum weak_order order);
bool weak_cas(unsigned site, volatile void *p, size_t size, void *expected, uint64_t value,
              enum weak_order success, enum weak_order failure);

/* Another round of the caller's loop changes nothing until another thread writes.  */
void weak_spin(void);

/* Returns when the word is not 0; what its writer released is seen then.  */
void weak_await(const volatile void *word, size_t size);

/* Zeroed memory that is never reused, so that a use after its release is found.  */
void *weak_alloc(size_t size);
void weak_free(void *memory);

/* Like the kernel's futex.  */
void weak_futex_wait(volatile void *word, uint32_t expected);
void weak_futex_wait_for(volatile void *word, uint32_t expected); /* waiting for ever is no fault */
void weak_futex_wake(volatile void *word, int count);

void weak_fail(const char *what);
#define WEAK_TEXT_(x) #x
#define WEAK_TEXT(x) WEAK_TEXT_(x)
#define weak_assert(c) ((c) ? (void)0 : weak_fail(#c " at line " WEAK_TEXT(__LINE__)))

/* Counts an outcome of a litmus test.  */
void weak_outcome(const char *what);

/* Gives each thread its own copy of the variable.  */
void weak_thread_local(void *variable, size_t size);

/* Their accesses are seen by the race check, which does not see those of libc.  */
void *weak_memset(void *to, int byte, size_t size);
void *weak_memcpy(void *to, const void *from, size_t size);

/* What a model defines.  weak_setup happens before all threads, and all threads before weak_end.
   Neither of the two is explored.  */
extern unsigned weak_threads;
extern unsigned weak_bound; /* optional: how many events of a thread to follow if threads can run for ever */
void weak_setup(void);
void weak_thread(unsigned number);
void weak_end(void);

/* How many processors the machine has; weak_setup may change it.  */
extern unsigned weak_processors;

#ifdef __cplusplus
}
#endif
#endif
