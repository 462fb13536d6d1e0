/* storey: wait */
/* The queue for a lock: who is the first, after others have come, have left, and have come again.  */
#include "alone.h"
#include "wait/lock_queue.h"

#include <assert.h>

static struct lock_queue queue;
static struct descriptor {
  CACHE_ALIGNED struct waiter waiter;
} thread[3];
static lock_word lock, other;

static struct lock_place enter(unsigned number, const lock_word *wanted, bool expected)
{
  struct lock_place place;
  assert(ghcomp_lock_queue_enter(&queue, &thread[number].waiter, wanted, &place) == expected);
  return place;
}

static void one_after_the_other(void)
{
  struct lock_place first = enter(0, &lock, true), second = enter(1, &lock, true), third = enter(2, &lock, true);
  assert(ghcomp_lock_queue_is_first(&first) && !ghcomp_lock_queue_is_first(&second) && !ghcomp_lock_queue_is_first(&third));
  ghcomp_lock_queue_leave(&thread[0].waiter);
  assert(ghcomp_lock_queue_is_first(&second) && !ghcomp_lock_queue_is_first(&third));
  first = enter(0, &lock, true); /* again, now as the last */
  assert(ghcomp_lock_queue_is_first(&second) && !ghcomp_lock_queue_is_first(&first));
  ghcomp_lock_queue_leave(&thread[1].waiter);
  assert(ghcomp_lock_queue_is_first(&third) && !ghcomp_lock_queue_is_first(&first));
  ghcomp_lock_queue_leave(&thread[2].waiter);
  assert(ghcomp_lock_queue_is_first(&first));
  ghcomp_lock_queue_leave(&thread[0].waiter);
}

/* Who has waited here last finds only itself, which is nobody ahead, whichever ticket it has by then.  */
static void alone(void)
{
  for (int i = 0; i < 3 * CACHELINE; i++) {
    struct lock_place place = enter(0, &lock, true);
    assert(ghcomp_lock_queue_is_first(&place));
    ghcomp_lock_queue_leave(&thread[0].waiter);
  }
}

/* Two locks have one queue: who comes behind a thread that waits for the other lock does not stand in it.  */
static void another_lock(void)
{
  struct lock_place first = enter(0, &lock, true);
  enter(1, &other, false);
  struct lock_place third = enter(2, &lock, true);
  assert(ghcomp_lock_queue_is_first(&first) && ghcomp_lock_queue_is_first(&third));
  ghcomp_lock_queue_leave(&thread[0].waiter);
  ghcomp_lock_queue_leave(&thread[2].waiter);
}

int main(void)
{
  one_after_the_other();
  alone();
  another_lock();
  return 0;
}
