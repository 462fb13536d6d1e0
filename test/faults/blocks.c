/* Finds blocks of memory that were never released and that nothing points to.

   At exit the runtime's variables or a thread's descriptor lead to everything that is kept on
   purpose: idle teams, free workers, free headers.  Every other block is lost.  The search is that
   of a conservative collector: each word that is an address inside a block keeps the block.  */
#include "faults.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *__real_malloc(size_t size);
int __real_nanosleep(const struct timespec *time, struct timespec *rest);
void __real_free(void *block);
int __real_pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
int __real_pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, size_t *size);

struct block {
  uintptr_t at;
  size_t size;
  void *by[2]; /* the caller of malloc, and its caller */
  bool reached;
  struct block *next;
};

enum { BUCKETS = 4096, ROOTS = 4096 };

static struct block *buckets[BUCKETS]; /* `busy` guards all variables here */
static unsigned count;
static const void *roots[ROOTS]; /* descriptors are reused, so there are as many as threads at once */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void lock(void)
{
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
    sched_yield();
}

static void unlock(void)
{
  atomic_flag_clear_explicit(&busy, memory_order_release);
}

static struct block **bucket_of(uintptr_t at)
{
  return &buckets[(at >> 4) * 0x9e3779b97f4a7c15u >> 52];
}

void ghcomp_faults_block_made(void *at, size_t size, void *by, void *before)
{
  struct block *block = __real_malloc(sizeof *block);
  if (block == NULL)
    abort();
  lock();
  struct block **bucket = bucket_of((uintptr_t)at);
  *block = (struct block){(uintptr_t)at, size, {by, before}, false, *bucket};
  *bucket = block;
  count++;
  unlock();
}

/* A block that libc allocated (getline) is not in the table, and is ignored.  */
void ghcomp_faults_block_gone(void *at)
{
  lock();
  struct block **link = bucket_of((uintptr_t)at);
  while (*link != NULL && (*link)->at != (uintptr_t)at)
    link = &(*link)->next;
  struct block *block = *link;
  if (block != NULL) {
    *link = block->next;
    count--;
  }
  unlock();
  __real_free(block);
}

void ghcomp_faults_block_root(const void *pointer)
{
  lock();
  for (unsigned i = 0; i < ROOTS; i++)
    if (roots[i] == NULL || roots[i] == pointer) {
      roots[i] = pointer;
      break;
    }
  unlock();
}

/* ------------------------------------------------------------------------- reaching */

static struct block **sorted; /* by address */
static struct block **work;   /* reached blocks whose words are not read yet */
static unsigned waiting;

static int by_address(const void *a, const void *b)
{
  uintptr_t x = (*(struct block *const *)a)->at, y = (*(struct block *const *)b)->at;
  return x < y ? -1 : x > y;
}

static void reach(uintptr_t word)
{
  unsigned low = 0, high = count;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (sorted[middle]->at <= word)
      low = middle + 1;
    else
      high = middle;
  }
  struct block *block = low > 0 ? sorted[low - 1] : NULL;
  if (block == NULL || block->reached || word - block->at >= (block->size ? block->size : 1))
    return;
  block->reached = true;
  work[waiting++] = block;
}

static void reach_from(uintptr_t from, uintptr_t to)
{
  for (from = (from + 7) & ~(uintptr_t)7; from + sizeof from <= to; from += sizeof from)
    reach(*(const uintptr_t *)from);
}

/* Reaches from the variables of the object that contains this file.  */
static int reach_from_object(struct dl_phdr_info *info, size_t size, void *unused)
{
  (void)size, (void)unused;
  bool ours = false;
  for (unsigned i = 0; i < info->dlpi_phnum; i++) {
    uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    uintptr_t here = (uintptr_t)buckets;
    ours |= info->dlpi_phdr[i].p_type == PT_LOAD && here >= from &&
            here < from + info->dlpi_phdr[i].p_memsz;
  }
  for (unsigned i = 0; ours && i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0)
      reach_from(info->dlpi_addr + part->p_vaddr, info->dlpi_addr + part->p_vaddr + part->p_memsz);
  }
  return ours;
}

static void reach_from_own_stack(void)
{
  pthread_attr_t attributes;
  void *stack;
  size_t size;
  if (__real_pthread_getattr_np(pthread_self(), &attributes) != 0)
    return;
  if (__real_pthread_attr_getstack(&attributes, &stack, &size) == 0)
    reach_from((uintptr_t)__builtin_frame_address(0), (uintptr_t)stack + size);
  pthread_attr_destroy(&attributes);
}

static void say_lost(int report, const struct block *block)
{
  struct dl_find_object found;
  if (_dl_find_object(block->by[0], &found) != 0)
    return;
  uintptr_t base = found.dlfo_link_map->l_addr;
  dprintf(report, "lost: %zu bytes, asked for at %#lx, called at %#lx of %s\n", block->size,
          (unsigned long)((uintptr_t)block->by[0] - base),
          (unsigned long)((uintptr_t)block->by[1] - base), found.dlfo_link_map->l_name);
}

/* One search.  Requires: busy.  */
static unsigned search(void)
{
  unsigned lost = 0, n = 0;
  sorted = __real_malloc((count + 1) * sizeof *sorted);
  work = __real_malloc((count + 1) * sizeof *work);
  if (sorted == NULL || work == NULL)
    abort();
  for (unsigned i = 0; i < BUCKETS; i++)
    for (struct block *block = buckets[i]; block != NULL; block = block->next) {
      block->reached = false;
      sorted[n++] = block;
    }
  qsort(sorted, count, sizeof *sorted, by_address);
  for (unsigned i = 0; i < ROOTS && roots[i] != NULL; i++)
    reach((uintptr_t)roots[i]);
  dl_iterate_phdr(reach_from_object, NULL);
  reach_from_own_stack();
  while (waiting > 0) {
    struct block *block = work[--waiting];
    reach_from(block->at, block->at + block->size);
  }
  for (unsigned i = 0; i < count; i++)
    lost += !sorted[i]->reached;
  return lost;
}

static void forget_search(void)
{
  __real_free(sorted);
  __real_free(work);
}

/* Workers go on while the search reads their lists.  One that moves a block from a list to another has it in a
   register for a moment, and the search does not look there.  A block that is lost is still lost later.  */
enum { SEARCHES = 50 };
static const struct timespec BETWEEN_SEARCHES = {0, 1000000};

unsigned ghcomp_faults_lost_blocks(int report, unsigned *all)
{
  lock();
  unsigned lost = search();
  for (int i = 1; lost != 0 && i < SEARCHES; i++) {
    forget_search();
    unlock();
    __real_nanosleep(&BETWEEN_SEARCHES, NULL);
    lock();
    lost = search();
  }
  *all = count;
  for (unsigned i = 0, said = 0; i < count && said < 5; i++)
    if (!sorted[i]->reached) {
      say_lost(report, sorted[i]);
      said++;
    }
  forget_search();
  unlock();
  return lost;
}
