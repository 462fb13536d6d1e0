/* The futex: a queue that read-modify-writes change.  */
#include "explore.h"

/* The state of a futex is a location of its own: a queue of threads, four bits each.  The high half
   says which threads were woken.  The kernel's lock orders the changes.  */
static uint64_t futex_read(volatile void *word)
{
  return do_read(0, word, 0, {WEAK_ACQUIRE});
}

static void futex_write(volatile void *word, uint64_t value)
{
  graph.thread[current][threads[current].done - 1].exclusive = true;
  do_write(0, word, 0, value, true, false, true);
}

static uint64_t woken_bit(int t)
{
  return 1ull << (32 + t);
}

static uint64_t without(uint64_t state, int t)
{
  uint64_t queue = 0;
  int n = 0;
  for (uint64_t q = (uint32_t)state; q != 0; q >>= 4)
    if ((q & 15) != (uint64_t)t + 1)
      queue |= (q & 15) << 4 * n++;
  return (state >> 32 << 32 | queue) & ~woken_bit(t);
}

static uint64_t with(uint64_t state, int t)
{
  uint64_t clean = without(state, t);
  int n = 0;
  for (uint64_t q = (uint32_t)clean; q != 0; q >>= 4)
    n++;
  return clean | ((uint64_t)t + 1) << 4 * n;
}

static uint64_t woken_first(uint64_t state, int count)
{
  while (count-- > 0 && (uint32_t)state != 0) {
    int t = (int)(state & 15) - 1;
    state = without(state, t) | woken_bit(t);
  }
  return state;
}

/* False: the word has another value, and the thread does not sleep.  */
static bool enqueue(volatile void *word, uint32_t expected)
{
  int me = current;
  futex_write(word, with(futex_read(word), me));
  if ((uint32_t)do_read(0, word, 4, {WEAK_RELAXED}) == expected)
    return true;
  futex_write(word, without(futex_read(word), me));
  return false;
}

void weak_futex_wait(volatile void *word, uint32_t expected)
{
  if (!enqueue(word, expected))
    return;
  if ((futex_read(word) & woken_bit(current)) == 0)
    stop_for_good(BLOCKED, 1);
}

void weak_futex_wait_for(volatile void *word, uint32_t expected)
{
  if (!enqueue(word, expected))
    return;
  if ((futex_read(word) & woken_bit(current)) == 0)
    give_up_run();
}

void weak_futex_wake(volatile void *word, int count)
{
  if (current >= 0)
    futex_write(word, woken_first(futex_read(word), count));
}
