/* What a model's C code sees of the checker; see README.md.  */
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

/* Atomic operations; `site` numbers the place in the source, 0: none.  */
uint64_t weak_load(unsigned site, const volatile void *p, size_t size, enum weak_order order);
void weak_store(unsigned site, volatile void *p, size_t size, uint64_t value, enum weak_order order);
uint64_t weak_update(unsigned site, volatile void *p, size_t size, enum weak_change change,
                     uint64_t operand, enum weak_order order);
bool weak_cas(unsigned site, volatile void *p, size_t size, void *expected, uint64_t value,
              enum weak_order success, enum weak_order failure);

/* Nothing can come of another round before somebody else writes.  */
void weak_spin(void);

/* Returns when the word is no longer 0, what its writer released is seen.  */
void weak_await(const volatile void *word, size_t size);

/* Zeroed memory that is never reused, so that a use after its release is seen.  */
void *weak_alloc(size_t size);
void weak_free(void *memory);

/* As the kernel's futex.  */
void weak_futex_wait(volatile void *word, uint32_t expected);
void weak_futex_wait_for(volatile void *word, uint32_t expected); /* to wait for ever is no fault */
void weak_futex_wake(volatile void *word, int count);

void weak_fail(const char *what);
#define WEAK_TEXT_(x) #x
#define WEAK_TEXT(x) WEAK_TEXT_(x)
#define weak_assert(c) ((c) ? (void)0 : weak_fail(#c " at line " WEAK_TEXT(__LINE__)))

/* A litmus test: this outcome was seen.  */
void weak_outcome(const char *what);

/* The variable is each thread's own.  */
void weak_thread_local(void *variable, size_t size);

/* An access that the race check does not see.  */
void *weak_memset(void *to, int byte, size_t size);
void *weak_memcpy(void *to, const void *from, size_t size);

/* What a model defines.  All that weak_setup does comes before the threads, all that they
   did before weak_end; neither is explored.  */
extern unsigned weak_threads;
extern unsigned weak_bound; /* optional: where threads can go on for ever, events of one to follow */
void weak_setup(void);
void weak_thread(unsigned number);
void weak_end(void);

#ifdef __cplusplus
}
#endif
#endif
