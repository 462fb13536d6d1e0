/* storey: wait */
/* Locks alone, of all three kinds, with more threads than processors: no addition under a lock is
   lost.  */
#include "alone.h"
#include "wait/lock.h"

#include <assert.h>
#include <pthread.h>

enum { THREADS = 6, ROUNDS = 20000 };

static lock_word lock;
static struct nest_lock nest;
static struct nest_lock_25 old;
static long plain_count, nest_count, old_count;

static void *work(void *me)
{
  for (int i = 0; i < ROUNDS; i++) {
    ghcomp_lock_acquire(&lock);
    plain_count++;
    ghcomp_lock_release(&lock);
    assert(ghcomp_lock_nest_acquire(&nest, me) == 1);
    assert(ghcomp_lock_nest_try(&nest, me) == 2);
    nest_count++;
    ghcomp_lock_nest_release(&nest);
    ghcomp_lock_nest_release(&nest);
    if (i % 16 == 0) {
      ghcomp_lock_nest25_acquire(&old);
      assert(ghcomp_lock_nest25_try(&old) == 2);
      old_count++;
      ghcomp_lock_nest25_release(&old);
      ghcomp_lock_nest25_release(&old);
    }
  }
  return NULL;
}

int main(void)
{
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, work, &threads[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert(plain_count == (long)THREADS * ROUNDS && nest_count == plain_count);
  assert(old_count == (long)THREADS * ROUNDS / 16);
  assert(ghcomp_lock_try(&lock));
  assert(!ghcomp_lock_try(&lock));
  return 0;
}
