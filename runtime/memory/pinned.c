/* Pinned memory.  Blocks of up to half a page are parts of a locked page.  All blocks of a page
   have the same size, a power of two.  Each larger block is a mapping of its own.  Pages of blocks
   stay locked and are used again.

   One lock guards all lists of free blocks.  It is held for a few instructions, and for the system
   call that makes a new page.  */
#include "memory/allocator.h"

#include "machine/process.h"
#include "wait/lock.h"

#include <string.h>

enum { LEAST_BLOCK = 64, CLASSES = 16 };

struct block {
  struct block *next;
};

static struct block *free_blocks[CLASSES]; /* of LEAST_BLOCK << i bytes; guarded by lock */
OWN_LOCK(lock);

static unsigned class_of(size_t size)
{
  unsigned class = 0;
  while (((size_t)LEAST_BLOCK << class) < size)
    class++;
  return class;
}

static void put(unsigned class, struct block *block)
{
  block->next = free_blocks[class];
  free_blocks[class] = block;
}

/* Requires: lock.  */
static struct block *take(unsigned class)
{
  size_t size = (size_t)LEAST_BLOCK << class, page = ghcomp_machine_page_size();
  if (free_blocks[class] == NULL) {
    char *fresh = ghcomp_machine_map_locked(page);
    for (size_t at = 0; fresh != NULL && at < page; at += size)
      put(class, (struct block *)(fresh + at));
  }
  struct block *block = free_blocks[class];
  if (block != NULL)
    free_blocks[class] = block->next;
  return block;
}

void *ghcomp_pinned_get(size_t size)
{
  if (size > ghcomp_machine_page_size() / 2)
    return ghcomp_machine_map_locked(size);
  unsigned class = class_of(size);
  ghcomp_lock_own(&lock.word);
  void *memory = take(class);
  ghcomp_unlock_own(&lock.word);
  return memory != NULL ? memset(memory, 0, size) : NULL;
}

void ghcomp_pinned_release(void *memory, size_t size)
{
  if (size > ghcomp_machine_page_size() / 2) {
    ghcomp_machine_unmap(memory, size);
    return;
  }
  ghcomp_lock_own(&lock.word);
  put(class_of(size), memory);
  ghcomp_unlock_own(&lock.word);
}
