/* Masters with a lock around their questions: the lock of an interpreter, which is free during the region, and that of a library
   as OpenBLAS, for which callers spin during the region.  The second is what turns are for.  */
#include "corpus.h"

#include <stddef.h>

enum { STEPS = 30 }; /* of the interpreter's own work, after a call */

static pthread_mutex_t of_interpreter = PTHREAD_MUTEX_INITIALIZER;
static int of_library;

static void interpret(struct master *me)
{
  pthread_mutex_lock(&of_interpreter);
  corpus_ask(me);
  pthread_mutex_unlock(&of_interpreter);
  corpus_region(corpus.steps, NULL, NULL);
  pthread_mutex_lock(&of_interpreter);
  corpus_compute(STEPS);
  pthread_mutex_unlock(&of_interpreter);
  corpus_count(me, 1);
}

static void call_library(struct master *me)
{
  corpus_ask(me);
  while (__atomic_exchange_n(&of_library, 1, __ATOMIC_ACQUIRE) != 0)
    ;
  corpus_region(corpus.steps, NULL, NULL);
  __atomic_store_n(&of_library, 0, __ATOMIC_RELEASE);
  corpus_count(me, 1);
}

const struct kind corpus_interpreter_lock = {"lock", {"a region"}, NULL, NULL, interpret};
const struct kind corpus_spin_lock = {"spinlock", {"a region"}, NULL, NULL, call_library};
