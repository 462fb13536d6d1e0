/* A hash table of addresses under one lock.  In programs that never use the directive it is empty,
   and a removal is one load.  */
#include "memory/allocator.h"

#include "base/memory.h"
#include "wait/lock.h"

#include <stddef.h>

#define BUCKETS 256

struct entry {
  const void *memory;
  struct entry *next;
};

static struct entry *buckets[BUCKETS]; /* guarded by lock */
OWN_LOCK(lock);
static _Atomic size_t count;

static struct entry **bucket_of(const void *memory)
{
  return &buckets[((uintptr_t)memory >> 4) % BUCKETS];
}

void ghcomp_alloc_registry_add(void *memory)
{
  struct entry *entry = ghcomp_memory_get(sizeof *entry);
  entry->memory = memory;
  ghcomp_lock_own(&lock.word);
  struct entry **bucket = bucket_of(memory);
  entry->next = *bucket;
  *bucket = entry;
  add_relaxed(&count, 1);
  ghcomp_unlock_own(&lock.word);
}

/* The link to the entry, or to NULL.
   Requires: lock.  */
static struct entry **find(const void *memory)
{
  struct entry **link = bucket_of(memory);
  while (*link != NULL && (*link)->memory != memory)
    link = &(*link)->next;
  return link;
}

bool ghcomp_alloc_registry_has(const void *memory)
{
  ghcomp_lock_own(&lock.word);
  bool found = *find(memory) != NULL;
  ghcomp_unlock_own(&lock.word);
  return found;
}

void ghcomp_alloc_registry_remove(const void *memory)
{
  if (memory == NULL || load_relaxed(&count) == 0)
    return;
  ghcomp_lock_own(&lock.word);
  struct entry **link = find(memory), *entry = *link;
  if (entry != NULL) {
    *link = entry->next;
    sub_relaxed(&count, 1);
  }
  ghcomp_unlock_own(&lock.word);
  ghcomp_memory_release(entry);
}
