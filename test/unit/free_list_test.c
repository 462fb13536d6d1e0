/* storey: memory */
/* Lists of objects for reuse, and the depot behind them.  A list takes one chain at a time.  No
   object is made while the depot has one, and each object is in one place only.  */
#include "alone.h"
#include "memory/free_list.h"
#include "base/memory.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct object {
  struct free_item free;
  _Atomic int users;
};

static struct free_depot depot = {.size = 64};
static _Atomic unsigned slabs;

void *ghcomp_memory_get_lines(size_t size)
{
  add_relaxed(&slabs, 1);
  return memset(aligned_alloc(64, size), 0, size);
}

void *ghcomp_memory_get(size_t size)
{
  return malloc(size);
}

void ghcomp_memory_release(void *memory)
{
  free(memory);
}

static struct object *take(struct free_list *list)
{
  struct object *object = ghcomp_free_list_take(list, &depot);
  assert(add_relaxed(&object->users, 1) == 0);
  return object;
}

static void put(struct free_list *list, struct object *object)
{
  assert(sub_relaxed(&object->users, 1) == 1);
  ghcomp_free_list_put(list, &depot, &object->free);
}

/* Two lists are emptied and filled by turns; each finds what the other left.  */
static void by_turns(void)
{
  unsigned before = 0;
  for (int round = 0; round < 1000; round++) {
    struct free_list one = {0}, two = {0};
    struct object *a = take(&one), *b = take(&two);
    put(&one, a);
    put(&two, b);
    ghcomp_free_list_keep(&one, &depot, 0);
    ghcomp_free_list_keep(&two, &depot, 0);
    if (round == 0)
      before = load_relaxed(&slabs);
  }
  assert(load_relaxed(&slabs) == before);
}

/* A list gets no more from the depot than a list may hold.  */
static void one_chain(void)
{
  enum { MANY = 100 * FREE_LIST_MOST };
  static struct object *objects[MANY];
  struct free_list list = {0}, other = {0};
  for (int i = 0; i < MANY; i++)
    objects[i] = take(&list);
  for (int i = 0; i < MANY; i++)
    put(&list, objects[i]);
  assert(list.count <= FREE_LIST_MOST);
  put(&other, take(&other));
  assert(other.count <= FREE_LIST_MOST);
  unsigned before = load_relaxed(&slabs);
  ghcomp_free_list_keep(&list, &depot, 0);
  for (int i = 0; i < MANY; i++)
    objects[i] = take(&other);
  assert(load_relaxed(&slabs) == before);
  for (int i = 0; i < MANY; i++)
    put(&list, objects[i]);
  ghcomp_free_list_keep(&list, &depot, 0);
  ghcomp_free_list_keep(&other, &depot, 0);
  assert(list.first == NULL && list.count == 0);
}

/* Objects that are returned one by one do not lead to refills of one object each.  */
static void single_ones(void)
{
  struct free_list list = {0}, none;
  struct object *objects[64];
  for (int i = 0; i < 64; i++)
    objects[i] = take(&list);
  ghcomp_free_list_keep(&list, &depot, 0);
  for (int i = 0; i < 64; i++) {
    none = (struct free_list){0};
    put(&none, objects[i]);
    ghcomp_free_list_keep(&none, &depot, 0);
  }
  put(&list, take(&list));
  assert(list.count >= 8);
  ghcomp_free_list_keep(&list, &depot, 0);
}

/* Threads start and end, and objects move between them.  */
enum { THREADS = 4, ROUNDS = 300, KEPT = 700 };
static _Atomic(struct object *) shelf[KEPT];

static void *trade(void *seed)
{
  unsigned random = (unsigned)(uintptr_t)seed;
  for (int round = 0; round < ROUNDS; round++) {
    struct free_list list = {0};
    for (int i = 0; i < KEPT; i++) {
      random = random * 1103515245 + 12345;
      struct object *mine = take(&list);
      struct object *old = swap_acq_rel(&shelf[random / 65536 % KEPT], mine);
      if (old != NULL)
        put(&list, old);
    }
    ghcomp_free_list_keep(&list, &depot, random / 65536 % 2 ? 0 : FREE_LIST_MOST / 2);
    ghcomp_free_list_keep(&list, &depot, 0);
  }
  return NULL;
}

static void threads(void)
{
  pthread_t thread[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&thread[i], NULL, trade, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
}

int main(void)
{
  by_turns();
  one_chain();
  single_ones();
  threads();
  return 0;
}
