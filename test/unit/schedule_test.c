/* storey: work
   link: -Wl,--wrap=aligned_alloc */
/* Dispensers alone, for any kind, chunk, count and order of the members' requests.  The chunks are
   disjoint, cover 0…count-1, and are as long as the specification says (5.2, 11.5.3), or several of such
   chunks.  Counts go up to 2^64-1.  */
#include "made_team.h"
#include "work/schedule.h"
#include "work/slots.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct chunk { uint64_t first, last; unsigned member; };
enum { MOST = 1 << 16 };
static struct chunk chunks[MOST];

static int by_first(const void *a, const void *b)
{
  const struct chunk *x = a, *y = b;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Hands out all chunks of one loop to members in random order; returns how many.  */
static unsigned hand_out(struct team *team, const struct loop *loop)
{
  unsigned n = 0, busy = team->size;
  bool over[64] = {false}, had_last[64] = {false};
  uint64_t past[64] = {0}; /* each member's last chunk */
  for (unsigned m = 0; m < team->size; m++)
    ghcomp_schedule_begin(&team->members[m], loop);
  while (busy > 0) {
    unsigned m = rand() % team->size;
    if (over[m])
      continue;
    struct member *member = &team->members[m];
    if (ghcomp_schedule_next(member)) {
      assert(n < MOST);
      chunks[n++] = (struct chunk){member->work.loop.chunk_first, member->work.loop.chunk_end, m};
      if (loop->kind != LOOP_OWN_PARTS) { /* monotonic */
        assert(member->work.loop.chunk_first >= past[m]);
        past[m] = member->work.loop.chunk_end;
      }
      assert(!had_last[m]); /* for lastprivate: it is its member's last chunk */
      had_last[m] = member->work.loop.chunk_end == loop->count;
    } else {
      over[m] = true;
      busy--;
      assert(!ghcomp_schedule_next(member)); /* also when asked again */
    }
  }
  return n;
}

static void check_cover(unsigned n, uint64_t count)
{
  uint64_t at = 0;
  qsort(chunks, n, sizeof *chunks, by_first);
  for (unsigned i = 0; i < n; i++) {
    assert(chunks[i].first == at && chunks[i].last > at);
    at = chunks[i].last;
  }
  assert(at == count);
}

static void check_lengths(unsigned n, const struct loop *loop, unsigned threads)
{
  for (unsigned i = 0; i < n; i++) {
    uint64_t length = chunks[i].last - chunks[i].first, left = loop->count - chunks[i].first;
    bool last = i == n - 1;
    if (loop->kind == LOOP_STATIC && threads > 1) /* another thread can find the owner of an iteration */
      for (uint64_t at = chunks[i].first;; at = chunks[i].last - 1) {
        assert(ghcomp_schedule_owner(loop->count, loop->chunk, threads, at) == chunks[i].member);
        if (at == chunks[i].last - 1)
          break;
      }
    if (loop->kind == LOOP_STATIC && loop->chunk == 0) {
      assert(length == loop->count / threads || length == loop->count / threads + 1);
      assert(chunks[i].member == i);
    } else if (threads == 1) {
      assert(n == 1);
    } else if (loop->kind == LOOP_GUIDED) {
      uint64_t part = left / threads + (left % threads != 0);
      uint64_t least = loop->chunk < left ? loop->chunk : left;
      assert(length == (part > least ? part : least));
    } else if (loop->kind == LOOP_STATIC || loop->is_doacross) {
      assert(last ? length <= loop->chunk : length == loop->chunk);
      if (loop->kind == LOOP_STATIC)
        assert(chunks[i].member == i % threads);
    } else {
      uint64_t drawn = (length - 1) / loop->chunk + 1;
      assert(last || length % loop->chunk == 0);
      uint64_t share = loop->kind == LOOP_DYNAMIC ? loop->count / loop->chunk / threads : left / loop->chunk;
      assert(drawn == 1 || (drawn <= share / DRAW_DIVISOR && drawn <= DRAW_MOST));
    }
  }
}

static void try_loop(unsigned threads, enum loop_kind kind, uint64_t count, uint64_t chunk)
{
  struct team *team = make_team(threads);
  struct loop loop = {.kind = kind, .count = count, .chunk = chunk, .is_doacross = kind == LOOP_DYNAMIC && rand() % 4 == 0};
  for (int twice = 0; twice < 2; twice++) {
    unsigned n = hand_out(team, &loop);
    check_cover(n, count);
    check_lengths(n, &loop, threads);
  }
  free_team(team);
}

static uint64_t random_word(void)
{
  return (uint64_t)rand() << 62 ^ (uint64_t)rand() << 31 ^ (uint64_t)rand();
}

static void small_loops(void)
{
  for (int i = 0; i < 3000; i++) {
    enum loop_kind kind = LOOP_STATIC + rand() % 4;
    uint64_t chunk = rand() % 4 ? 1 + rand() % 9 : 1 + rand() % 3000;
    try_loop(1 + rand() % 8, kind, rand() % 700, kind == LOOP_STATIC && rand() % 2 ? 0 : chunk);
  }
}

/* Few, long chunks at the end of the range of numbers.  */
static void huge_loops(void)
{
  for (int i = 0; i < 3000; i++) {
    enum loop_kind kind = LOOP_STATIC + rand() % 4;
    uint64_t count = rand() % 2 ? UINT64_MAX - rand() % 3 : random_word();
    uint64_t chunk = rand() % 3 ? count / (1 + rand() % 200) + rand() % 2 : UINT64_MAX - rand() % 3;
    if (chunk == 0)
      chunk = 1;
    try_loop(1 + rand() % 8, kind, count, count / chunk > 1000 ? count / 10 + 1 : chunk);
  }
}

/* Real threads execute each iteration exactly once.  */
enum { THREADS = 4, COUNT = 40000 };
static _Atomic int times[COUNT];

static void *take_all(void *argument)
{
  struct member *member = argument;
  while (ghcomp_schedule_next(member))
    for (uint64_t i = member->work.loop.chunk_first; i < member->work.loop.chunk_end; i++)
      add_relaxed(&times[i], 1);
  return NULL;
}

static void concurrent_loops(enum loop_kind kind, bool by_addition)
{
  pthread_t threads[THREADS];
  struct team *team = make_team(THREADS);
  struct loop loop = {.kind = kind, .count = COUNT, .chunk = 3};
  for (int m = 0; m < THREADS; m++) {
    ghcomp_schedule_begin(&team->members[m], &loop);
    if (!by_addition)
      team->members[m].work.loop.adds_cannot_overflow = (team->members[m].work.loop.chunks = 0);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, take_all, &team->members[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < COUNT; i++)
    assert(swap_acq_rel(&times[i], 0) == 1);
  free_team(team);
}

/* If there is no memory for parts, all members share the counter.  So do members that begin the
   loop, or another loop of the same block, when there is memory again.  */
static bool no_parts;
static unsigned refused;
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
  if (!no_parts || size != BLOCK_SLOTS * THREADS * sizeof(struct own_part))
    return __real_aligned_alloc(alignment, size);
  refused++;
  return NULL;
}

static void without_memory(unsigned *shared, unsigned *own)
{
  struct team *team = make_team(THREADS);
  struct loop loop = {.kind = LOOP_OWN_PARTS, .count = 100, .chunk = 7};
  for (int i = 0; i < 6 * BLOCK_SLOTS; i++) {
    no_parts = rand() % 4 != 0;
    unsigned n = hand_out(team, &loop);
    check_cover(n, loop.count);
    check_lengths(n, &loop, THREADS);
    enum loop_kind kind = team->members[0].work.loop.kind;
    for (int m = 1; m < THREADS; m++)
      assert(team->members[m].work.loop.kind == kind);
    *shared += kind == LOOP_DYNAMIC;
    *own += kind == LOOP_OWN_PARTS;
  }
  no_parts = false;
  free_team(team);
}

static void sometimes_without_memory(void)
{
  unsigned shared = 0, own = 0;
  for (int i = 0; i < 100; i++)
    without_memory(&shared, &own);
  assert(refused != 0 && shared != 0 && own != 0);
}

/* The kinds that follow from the compiler's and the user's schedules.  */
static void choices(void)
{
  struct loop loop = {0};
  ghcomp_schedule_choose(&loop, NULL, SCHEDULE_STATIC, 0);
  assert(loop.kind == LOOP_STATIC && loop.chunk == 0);
  ghcomp_schedule_choose(&loop, NULL, SCHEDULE_DYNAMIC, 0);
  assert(loop.kind == LOOP_DYNAMIC && loop.chunk == 1);
  ghcomp_schedule_choose(&loop, NULL, SCHEDULE_DYNAMIC | SCHEDULE_ANY_ORDER, 2);
  assert(loop.kind == LOOP_OWN_PARTS && loop.chunk == 2);
  ghcomp_schedule_choose(&loop, NULL, SCHEDULE_GUIDED | SCHEDULE_MONOTONIC, 5);
  assert(loop.kind == LOOP_GUIDED && loop.chunk == 5);
  ghcomp_schedule_choose(&loop, NULL, SCHEDULE_AUTO, 7);
  assert(loop.kind == LOOP_STATIC && loop.chunk == 0);
}

int main(void)
{
  srand(1);
  choices();
  small_loops();
  huge_loops();
  sometimes_without_memory();
  for (int i = 0; i < 20; i++) {
    concurrent_loops(LOOP_DYNAMIC, true);
    concurrent_loops(LOOP_DYNAMIC, false);
    concurrent_loops(LOOP_GUIDED, true);
    concurrent_loops(LOOP_OWN_PARTS, true);
    concurrent_loops(LOOP_STATIC, true);
  }
  return 0;
}
