/* threadprivate variables whose copies the runtime makes: those of code that does without thread-local storage
   (Fortran's of LLVM, clang with -fnoopenmp-use-tls).  Spec: 5.2, 5.2.

   A thread is named by its global_number (state/thread.h); number 0 has the variable itself.  */
#ifndef GHCOMP_MEMORY_THREADPRIVATE_H
#define GHCOMP_MEMORY_THREADPRIVATE_H

#include "base/atomics.h"
#include "base/memory.h"

#include <stddef.h>

/* How a copy begins and ends; each may be NULL.  A copy without a constructor has the bytes that the variable
   had when the runtime first heard of it.  */
struct threadprivate_kind {
  size_t elements; /* of an array, for the functions of arrays; else 0 */
  union {
    void *(*construct)(void *copy);
    void *(*construct_array)(void *copy, size_t elements);
  };
  union {
    void *(*construct_from)(void *copy, void *original);
    void *(*construct_array_from)(void *copy, void *original, size_t elements);
  };
  union {
    void (*destroy)(void *copy);
    void (*destroy_array)(void *copy, size_t elements);
  };
};

/* Before the first copy is made.  */
void ghcomp_threadprivate_register(void *original, const struct threadprivate_kind *kind);

/* The copies of one variable, by thread number.  Compiled code keeps the pointer to it, and starts it at NULL.  */
struct threadprivate_copies {
  struct threadprivate_copies *shorter; /* the one before, which other parts of the program may still have */
  unsigned length;
  _Atomic(void *) by_thread[];
};
typedef _Atomic(struct threadprivate_copies *) threadprivate_cache;

/* Where the thread has no copy yet.  `cache` may be NULL.  */
void *ghcomp_threadprivate_find(unsigned thread, void *original, size_t size, threadprivate_cache *cache);

/* The thread's copy of the variable.  Called by that thread.  */
static inline void *ghcomp_threadprivate_copy(unsigned thread, void *original, size_t size, threadprivate_cache *cache)
{
  struct threadprivate_copies *copies = load_acquire(cache); /* pairs with grow */
  if (likely(copies != NULL && thread < copies->length)) {
    void *copy = load_relaxed(&copies->by_thread[thread]);
    if (likely(copy != NULL))
      return copy;
  }
  return ghcomp_threadprivate_find(thread, original, size, cache);
}

/* The thread of the number ends: its copies are destroyed.  */
void ghcomp_threadprivate_end(unsigned thread);

#endif
