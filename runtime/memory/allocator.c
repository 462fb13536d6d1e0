/* Allocators.

   Each block has a header in front of the user's address: where its memory begins, how large it is,
   and which allocator made it. free and realloc need nothing else.  All memory spaces are the same
   memory, except pinned memory, which is locked.

   Invariant: `used` of an allocator with a pool never exceeds pool_size.  It is raised by
   compare-and-swap before memory is taken, and lowered when memory is given back.  */
#include "memory/allocator.h"

#include "base/atomics.h"
#include "base/memory.h"
#include "base/message.h"

#include <string.h>

struct allocator {
  size_t alignment;
  size_t pool_size; /* SIZE_MAX: none */
  _Atomic size_t used;
  int fallback;     /* omp_alloctrait_value_t */
  omp_allocator_handle_t fallback_allocator;
  bool pinned;
  bool without_memory; /* of a memory space that this machine does not have: everything falls back */
};

struct header {
  void *base;      /* what malloc or mmap returned */
  size_t total;    /* from base */
  size_t size;     /* the user's */
  omp_allocator_handle_t allocator;
};

/* GCC 13 and later have one more, with locked memory.  LLVM's header has some from 100 on, for memory that
   devices share, which is all memory where the host is the only one.  No allocator's address is so low.  */
#define PINNED_ALLOCATOR 200
#define LAST_PREDEFINED 1024

/* GCC 16's: memory that host and devices share, where a device's driver provides it.  */
#define GCC_MANAGED_SPACE 200

/* What OpenMP 6.0 added, with the numbers of LLVM 23's header; GCC's headers do not have it.  There `all` has
   another number, its old one is `device`, and the default space's old number, 0, is no space.  */
enum {
  CGROUP_SPACE = 5, LLVM_DEFAULT_SPACE = 99,
  LLVM_PIN_DEVICE = 9, LLVM_PREFERRED_DEVICE, LLVM_DEVICE_ACCESS, LLVM_TARGET_ACCESS, LLVM_ATOMIC_SCOPE,
  LLVM_PART_SIZE,
  LLVM_DEVICE = 7, LLVM_ALL = 19, LLVM_SINGLE, LLVM_MULTIPLE, LLVM_MEMSPACE,
};

static bool is_predefined(omp_allocator_handle_t allocator)
{
  return (uintptr_t)allocator <= LAST_PREDEFINED;
}

static struct allocator *data_of(omp_allocator_handle_t allocator)
{
  return is_predefined(allocator) ? NULL : (struct allocator *)(uintptr_t)allocator;
}

static bool is_power_of_two(size_t n)
{
  return n != 0 && (n & (n - 1)) == 0;
}

/* ----------------------------------------------------------------------- making */

/* These say which devices use the memory, and in which parts.  The host is the only one.  */
static bool take_trait_of_6(unsigned key, omp_uintptr_t value)
{
  switch (key) {
  case LLVM_PIN_DEVICE:
  case LLVM_PREFERRED_DEVICE:
    return value == omp_atv_default || value == 0; /* the host's numbers; omp_atv_default is -1 */
  case LLVM_DEVICE_ACCESS:
  case LLVM_TARGET_ACCESS:
    return value == omp_atv_default || value == LLVM_SINGLE || value == LLVM_MULTIPLE;
  case LLVM_ATOMIC_SCOPE:
    return value == omp_atv_default || value == LLVM_ALL || value == LLVM_DEVICE;
  case LLVM_PART_SIZE:
    return value != 0;
  default:
    return false;
  }
}

static bool take_trait(struct allocator *data, const omp_alloctrait_t *trait)
{
  omp_uintptr_t value = trait->value;
  switch (trait->key) {
  case omp_atk_sync_hint:
    return value == omp_atv_default || (value >= omp_atv_contended && value <= omp_atv_private);
  case omp_atk_alignment:
    data->alignment = value == omp_atv_default ? 1 : value;
    return is_power_of_two(data->alignment);
  case omp_atk_access:
    return value == omp_atv_default || (value >= omp_atv_all && value <= omp_atv_cgroup) ||
           value == LLVM_ALL || value == LLVM_MEMSPACE;
  case omp_atk_pool_size:
    data->pool_size = value == omp_atv_default ? SIZE_MAX : value;
    return data->pool_size != 0;
  case omp_atk_fallback:
    data->fallback = value == omp_atv_default ? (int)omp_atv_default_mem_fb : (int)value;
    return data->fallback >= (int)omp_atv_default_mem_fb &&
           data->fallback <= (int)omp_atv_allocator_fb;
  case omp_atk_fb_data:
    data->fallback_allocator = (omp_allocator_handle_t)value;
    return true;
  case omp_atk_pinned:
    data->pinned = value == omp_atv_true;
    return value == omp_atv_default || value == omp_atv_true || value == omp_atv_false;
  case omp_atk_partition:
    return value == omp_atv_default ||
           (value >= omp_atv_environment && value <= omp_atv_interleaved);
  default:
    return take_trait_of_6(trait->key, value);
  }
}

omp_allocator_handle_t ghcomp_allocator_of_space(omp_memspace_handle_t space)
{
  uintptr_t number = (uintptr_t)space;
  if (number <= CGROUP_SPACE)
    return (omp_allocator_handle_t)(number + 1); /* in the same order, from 1 */
  return number == LLVM_DEFAULT_SPACE ? omp_default_mem_alloc : omp_null_allocator;
}

omp_allocator_handle_t ghcomp_allocator_make(omp_memspace_handle_t space, int count,
                                             const omp_alloctrait_t *traits)
{
  struct allocator data = {.alignment = 1, .pool_size = SIZE_MAX,
                           .fallback = omp_atv_default_mem_fb};
  data.without_memory = (uintptr_t)space == GCC_MANAGED_SPACE;
  if (!data.without_memory && ghcomp_allocator_of_space(space) == omp_null_allocator)
    return omp_null_allocator;
  for (int i = 0; i < count; i++)
    if (!take_trait(&data, &traits[i]))
      return omp_null_allocator;
  if (data.alignment < sizeof(void *))
    data.alignment = sizeof(void *);
  struct allocator *made = ghcomp_memory_try(sizeof *made);
  if (made == NULL)
    return omp_null_allocator;
  *made = data;
  return (omp_allocator_handle_t)(uintptr_t)made;
}

void ghcomp_allocator_destroy(omp_allocator_handle_t allocator)
{
  ghcomp_memory_release(data_of(allocator));
}

/* ----------------------------------------------------------------- raw memory */

static bool book(struct allocator *data, size_t total)
{
  if (data == NULL || data->pool_size == SIZE_MAX)
    return true;
  size_t used = load_relaxed(&data->used);
  do {
    if (total > data->pool_size || used > data->pool_size - total)
      return false;
  } while (!cas_relaxed(&data->used, &used, used + total));
  return true;
}

static void unbook(struct allocator *data, size_t total)
{
  if (data != NULL && data->pool_size != SIZE_MAX)
    sub_relaxed(&data->used, total);
}

static bool is_pinned(omp_allocator_handle_t allocator)
{
  const struct allocator *data = data_of(allocator);
  return data != NULL ? data->pinned : (uintptr_t)allocator == PINNED_ALLOCATOR;
}

static void *take_raw(size_t total, omp_allocator_handle_t allocator, bool zero)
{
  if (is_pinned(allocator))
    return ghcomp_pinned_get(total);
  return zero ? ghcomp_memory_try_zero(total) : ghcomp_memory_try(total);
}

/* A block from this allocator, without its fallback.  NULL: there is none, and nothing has changed.
   `booked`: what the pool counts for a block that the new one replaces; from now on that counts for
   the new block.  */
static void *get_here(size_t alignment, size_t size, omp_allocator_handle_t allocator, bool zero,
                      size_t booked)
{
  struct allocator *data = data_of(allocator);
  size_t slack = alignment > 16 ? alignment - 16 : 0, total;
  if (__builtin_add_overflow(size, sizeof(struct header) + slack, &total))
    return NULL;
  size_t more = total > booked ? total - booked : 0;
  if ((data != NULL && data->without_memory) || !book(data, more))
    return NULL;
  char *base = take_raw(total, allocator, zero);
  if (base == NULL) {
    unbook(data, more);
    return NULL;
  }
  if (booked > total)
    unbook(data, booked - total);
  uintptr_t user = (uintptr_t)base + sizeof(struct header);
  user = (user + alignment - 1) & ~(uintptr_t)(alignment - 1);
  ((struct header *)user)[-1] = (struct header){base, total, size, allocator};
  return (void *)user;
}

static void *fall_back(size_t alignment, size_t size, const struct allocator *data, bool zero)
{
  switch (data->fallback) {
  case omp_atv_default_mem_fb:
    return get_here(alignment, size, omp_default_mem_alloc, zero, 0);
  case omp_atv_allocator_fb:
    return ghcomp_allocator_get(alignment, size, data->fallback_allocator, zero);
  case omp_atv_abort_fb:
    ghcomp_message_fatal("Out of memory allocating %zu bytes, and the allocator's fallback trait "
                         "is abort_fb; the program ends here", size);
  default:
    return NULL;
  }
}

/* The largest alignment that the caller, the allocator or the header requires.  */
static size_t alignment_for(size_t alignment, const struct allocator *data)
{
  if (data != NULL && alignment < data->alignment)
    alignment = data->alignment;
  return alignment < 16 ? 16 : alignment;
}

void *ghcomp_allocator_get(size_t alignment, size_t size, omp_allocator_handle_t allocator,
                           bool zero)
{
  const struct allocator *data = data_of(allocator);
  if (size == 0 || !is_power_of_two(alignment))
    return NULL;
  alignment = alignment_for(alignment, data);
  void *memory = get_here(alignment, size, allocator, zero, 0);
  if (memory == NULL && data != NULL)
    memory = fall_back(alignment, size, data, zero);
  return memory;
}

static void release_raw(const struct header *header)
{
  if (is_pinned(header->allocator))
    ghcomp_pinned_release(header->base, header->total);
  else
    ghcomp_memory_release(header->base);
}

void ghcomp_allocator_free(void *memory)
{
  if (memory == NULL)
    return;
  struct header header = ((struct header *)memory)[-1];
  release_raw(&header);
  unbook(data_of(header.allocator), header.total);
}

void *ghcomp_allocator_resize(void *memory, size_t size, omp_allocator_handle_t allocator)
{
  struct header header = ((struct header *)memory)[-1];
  if (allocator == omp_null_allocator)
    allocator = header.allocator;
  /* A pool counts the block once, not the old and the new one together.  The old block stays
     counted until the new one exists, because it stays if there is no new one.  */
  const struct allocator *data = data_of(allocator);
  size_t alignment = alignment_for(1, data), booked = allocator == header.allocator ? header.total : 0;
  void *other = get_here(alignment, size, allocator, false, booked);
  bool within = other != NULL && booked != 0;
  if (other == NULL && data != NULL)
    other = fall_back(alignment, size, data, false);
  if (other == NULL)
    return NULL;
  memcpy(other, memory, size < header.size ? size : header.size);
  release_raw(&header);
  if (!within)
    unbook(data_of(header.allocator), header.total);
  return other;
}
