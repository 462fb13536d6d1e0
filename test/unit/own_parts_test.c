/* storey: work */
/* The parts of a loop alone, as a Haskell loop uses them.  Some threads with a part arrive late or never, and
   others arrive without a part.  Each chunk is still executed once: with stealing, by halves, and where whole
   parts are claimed, dealt out or not.  */
#include "work/own_parts.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 6, COMERS = 4, MOST_CHUNKS = 5000, ROUNDS = 400 };
enum way { STEAL, HALVE, WHOLE, DEALT, WAYS };

static struct own_part part[MOST_PARTS + COMERS];
static struct parts parts = {.part = part};
static enum way way;
static unsigned number_of[COMERS]; /* of each comer; parts.count or more: it has no part */
static _Atomic unsigned executed[MOST_CHUNKS];
static pthread_barrier_t all_there;

static void execute(uint32_t first, uint32_t count, uint32_t step)
{
  for (uint32_t i = 0; i < count; i++)
    assert(add_relaxed(&executed[first + i * step], 1) == 0);
}

static void execute_part(unsigned number)
{
  uint64_t bounds = ghcomp_part_bounds(&parts, number);
  uint32_t first = (uint32_t)(bounds >> 32), end = (uint32_t)bounds;
  if (way == DEALT)
    execute(number, ghcomp_part_dealt(&parts, number), parts.count);
  else
    execute(first, end - first, 1);
}

static void execute_whole_parts(unsigned me, bool mine)
{
  if (mine)
    execute_part(me);
  for (unsigned other; (other = ghcomp_parts_claim(&parts)) != parts.count;)
    execute_part(other);
}

static void draw_chunks(unsigned me)
{
  struct draw draw = {.least = 1, .most = way == HALVE ? UINT32_MAX : 1, .divisor = way == HALVE ? 2 : 1};
  uint32_t first, drawn;
  while ((drawn = ghcomp_parts_draw(&parts, me, draw, &first)) != 0)
    execute(first, drawn, 1);
}

static void *come(void *comer)
{
  unsigned me = number_of[(uintptr_t)comer];
  pthread_barrier_wait(&all_there);
  bool mine = false;
  if (me < parts.count)
    mine = ghcomp_part_begin(&parts, me);
  else
    ghcomp_range_set(&part[me].range, 0, 0);
  if (way == WHOLE || way == DEALT)
    execute_whole_parts(me, mine);
  else
    draw_chunks(me);
  return NULL;
}

static void loop(void)
{
  pthread_t threads[COMERS];
  way = rand() % WAYS;
  parts.count = 1 + rand() % MOST_PARTS;
  parts.first = way == DEALT ? 0 : rand() % 100;
  parts.end = parts.first + parts.count + rand() % (MOST_CHUNKS - 100 - MOST_PARTS);
  memset((void *)executed, 0, sizeof executed);
  ghcomp_parts_reset(&parts);
  unsigned first = rand() % MOST_PARTS; /* so that the parts without a comer vary */
  for (uintptr_t i = 0; i < COMERS; i++) {
    number_of[i] = first + i;
    pthread_create(&threads[i], NULL, come, (void *)i);
  }
  for (unsigned i = 0; i < COMERS; i++)
    pthread_join(threads[i], NULL);
  for (uint32_t i = 0; i < MOST_CHUNKS; i++)
    assert(load_relaxed(&executed[i]) == (i >= parts.first && i < parts.end));
}

int main(void)
{
  pthread_barrier_init(&all_there, NULL, COMERS);
  for (int i = 0; i < ROUNDS; i++)
    loop();
  return 0;
}
