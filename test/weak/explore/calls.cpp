/* The functions that a model calls: those of weak.h, and those that -fsanitize=thread inserts.  */
#include "explore.h"

#include <cstring>

static enum weak_order order_of(unsigned site, enum weak_order order)
{
  return site < weakened.size() && weakened[site] >= 0 ? (enum weak_order)weakened[site] : order;
}

static uint64_t mask(uint64_t value, size_t size)
{
  return size == 8 ? value : value & ((1ull << size * 8) - 1);
}

static uint64_t memory_value(const volatile void *p, size_t size)
{
  uint64_t value = 0;
  memcpy(&value, (const void *)p, size);
  return value;
}

static uint64_t changed(uint64_t old, enum weak_change change, uint64_t operand)
{
  switch (change) {
  case WEAK_SWAP: return operand;
  case WEAK_ADD: return old + operand;
  case WEAK_SUB: return old - operand;
  case WEAK_OR: return old | operand;
  default: return old & operand;
  }
}

static void cover(unsigned site)
{
  if (site != 0)
    covered.insert(site);
}

/* Stops a thread that reads the same value again and again at the same place: it spins.  */
static void block_if_spinning()
{
  enum { AGAIN = 4 };
  const std::vector<Event> &events = graph.thread[current];
  unsigned n = threads[current].done;
  if (n < AGAIN)
    return;
  const Event &last = events[n - 1];
  for (unsigned i = n - AGAIN; i < n; i++) {
    const Event &e = events[i];
    if (e.write || e.site == 0 || e.site != last.site || e.key != last.key || !(e.from == last.from))
      return;
  }
  stop_for_good(BLOCKED, 1);
}

extern "C" {

uint64_t weak_load(unsigned site, const volatile void *p, size_t size, enum weak_order order)
{
  if (current < 0)
    return memory_value(p, size);
  cover(site);
  order = order_of(site, order);
  uint64_t value = do_read(site, p, size, {order});
  block_if_spinning();
  return value;
}

void weak_store(unsigned site, volatile void *p, size_t size, uint64_t value, enum weak_order order)
{
  value = mask(value, size);
  if (current < 0) {
    memcpy((void *)p, &value, size);
    return;
  }
  cover(site);
  order = order_of(site, order);
  do_write(site, p, size, value, releases(order), order == WEAK_SEQ_CST, false);
}

uint64_t weak_update(unsigned site, volatile void *p, size_t size, enum weak_change change,
                     uint64_t operand, enum weak_order order)
{
  if (current < 0) {
    uint64_t old = memory_value(p, size), value = changed(old, change, operand);
    memcpy((void *)p, &value, size);
    return old;
  }
  cover(site);
  order = order_of(site, order);
  uint64_t old = do_read(site, p, size, {order});
  graph.thread[current][threads[current].done - 1].exclusive = true;
  do_write(site, p, size, mask(changed(old, change, operand), size), releases(order),
           order == WEAK_SEQ_CST, true);
  return old;
}

bool weak_cas(unsigned site, volatile void *p, size_t size, void *expected, uint64_t value,
              enum weak_order success, enum weak_order failure)
{
  uint64_t wanted = memory_value(expected, size);
  value = mask(value, size);
  if (current < 0) {
    uint64_t old = memory_value(p, size);
    memcpy(old == wanted ? (void *)p : expected, old == wanted ? &value : &old, size);
    return old == wanted;
  }
  cover(site);
  if (order_of(site, success) != success) {
    success = order_of(site, success);
    failure = success == WEAK_RELAXED || success == WEAK_RELEASE ? WEAK_RELAXED : WEAK_ACQUIRE;
  }
  uint64_t old = do_read(site, p, size, {success, true, wanted, failure});
  if (old != wanted) {
    memcpy(expected, &old, size);
    return false;
  }
  graph.thread[current][threads[current].done - 1].exclusive = true;
  do_write(site, p, size, value, releases(success), success == WEAK_SEQ_CST, true);
  return true;
}

/* The thread waits for a change of what it has read since its last write.  */
void weak_spin(void)
{
  if (current < 0)
    return;
  const std::vector<Event> &events = graph.thread[current];
  unsigned reads = 0;
  while (reads < threads[current].done && !events[threads[current].done - 1 - reads].write)
    reads++;
  stop_for_good(BLOCKED, reads);
}

void weak_await(const volatile void *word, size_t size)
{
  if (current >= 0 && do_read(0, word, size, {WEAK_ACQUIRE}) == 0)
    stop_for_good(BLOCKED, 1);
}

int sched_yield(void)
{
  weak_spin();
  return 0;
}

void *weak_alloc(size_t size)
{
  int part = current + 1;
  size_t at = (arena_used[part] + 64 + 63) & ~(size_t)63;
  if (at + size + 64 > ARENA)
    give_up("the model allocates too much");
  arena_used[part] = at + size;
  char *p = arena + (size_t)part * ARENA + at;
  memcpy(p - 16, &size, sizeof size);
  plain(p, size, PLAIN_WRITE);
  return p;
}

void weak_free(void *memory)
{
  if (memory == nullptr || current < 0)
    return;
  size_t size = memory_value((char *)memory - 16, sizeof size);
  plain(memory, size, PLAIN_WRITE);
  mark_freed(memory, size);
}

void *weak_memset(void *to, int byte, size_t size)
{
  plain(to, size, PLAIN_WRITE);
  return memset(to, byte, size);
}

void *weak_memcpy(void *to, const void *from, size_t size)
{
  plain(from, size, PLAIN_READ);
  plain(to, size, PLAIN_WRITE);
  return memcpy(to, from, size);
}

void weak_fail(const char *what)
{
  report(what);
}

void weak_outcome(const char *what)
{
  outcomes[what]++;
}

void weak_thread_local(void *variable, size_t size)
{
  if (local_count == MOST_LOCALS || size > sizeof locals[0].kept[0])
    give_up("too many thread-local variables");
  locals[local_count++] = {.variable = (char *)variable, .size = size, .kept = {}};
}

/* What -fsanitize=thread makes the compiler call.  */
#define PLAIN(n)                                                                              \
  void __tsan_read##n(void *p) { plain_at(p, n, PLAIN_READ, __builtin_return_address(0)); }                                   \
  void __tsan_write##n(void *p) { plain_at(p, n, PLAIN_WRITE, __builtin_return_address(0)); }                                 \
  void __tsan_unaligned_read##n(void *p) { plain_at(p, n, PLAIN_READ, __builtin_return_address(0)); }                         \
  void __tsan_unaligned_write##n(void *p) { plain_at(p, n, PLAIN_WRITE, __builtin_return_address(0)); }
PLAIN(1) PLAIN(2) PLAIN(4) PLAIN(8) PLAIN(16)
void __tsan_read_range(void *p, size_t size) { plain_at(p, size, PLAIN_READ, __builtin_return_address(0)); }
void __tsan_write_range(void *p, size_t size) { plain_at(p, size, PLAIN_WRITE, __builtin_return_address(0)); }
/* Atomic accesses that the model itself makes.  */
#define ATOMIC(bits)                                                                          \
  uint64_t __tsan_atomic##bits##_load(const volatile void *p, int)                            \
  {                                                                                           \
    return weak_load(0, p, bits / 8, WEAK_SEQ_CST);                                           \
  }                                                                                           \
  void __tsan_atomic##bits##_store(volatile void *p, uint##bits##_t value, int)               \
  {                                                                                           \
    weak_store(0, p, bits / 8, value, WEAK_SEQ_CST);                                          \
  }
ATOMIC(8) ATOMIC(16) ATOMIC(32) ATOMIC(64)
void __tsan_init(void) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit(void) {}
}
