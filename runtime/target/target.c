/* Target regions on the host.

   Mapping does nothing, because host and device share memory.  Only firstprivate objects are
   copied, because the region may change them.  A firstprivate allocatable of Fortran has three
   entries: its descriptor, its data, and an attachment, which makes the descriptor's copy point to
   the data's copy.  */
#include "target/target.h"

#include "base/memory.h"
#include "base/message.h"
#include "task/lineage.h"
#include "team/team.h"
#include "team/thread.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#define KIND_MASK 0xff
#define ALIGNMENT_SHIFT 8
#define KIND_FIRSTPRIVATE ((1 << 2) | (1 << 3))
#define KIND_ATTACH ((1 << 6) | (1 << 4))

/* The compiler's number for the default device. -2 is the host, and from GCC 13 on the compiler
   turns every -1 of a program into it.  */
#define DEVICE_NOT_GIVEN (-1)

void ghcomp_target_require_device(int device)
{
  if (device == DEVICE_NOT_GIVEN || device == DEVICE_DEFAULT)
    device = ghcomp_icv()->default_device;
  ghcomp_start_once();
  bool mandatory = ghcomp_settings.target_offload == OFFLOAD_MANDATORY;
  if (mandatory && (device > 0 || device == DEVICE_INVALID))
    ghcomp_message_fatal("OMP_TARGET_OFFLOAD is set to MANDATORY, but only the host device is "
                         "available; the program ends here");
  if (device == DEVICE_INVALID)
    ghcomp_message_fatal("omp_invalid_device encountered, expected a device number from "
                         "omp_initial_device (-1) on; the program ends here");
}

bool ghcomp_target_is_host(int device)
{
  if (device == DEVICE_DEFAULT)
    device = ghcomp_icv()->default_device;
  return device == 0 || device == DEVICE_INITIAL;
}

static bool is_private(const struct target *t, size_t i)
{
  return (t->kinds[i] & KIND_MASK) == KIND_FIRSTPRIVATE && t->addresses[i] != NULL;
}

static size_t align(size_t offset, const struct target *t, size_t i, size_t *most)
{
  size_t alignment = (size_t)1 << (t->kinds[i] >> ALIGNMENT_SHIFT);
  if (alignment > *most)
    *most = alignment;
  return (offset + alignment - 1) & ~(alignment - 1);
}

/* Entry i is an attachment: it holds the address of the entry of a pointer, which is that object's
   first word.  `original` is where the data of entry i - 1 was before it was copied.  */
static void attach(const struct target *t, size_t i, const void *original)
{
  char **pointer = *(char ***)t->addresses[i];
  *pointer = (char *)t->addresses[i - 1] + (*pointer - (const char *)original);
}

/* Copies the firstprivate objects into one block, and lets the entries point to the copies.  NULL:
   there are none.  */
static void *copy_private(const struct target *t)
{
  size_t total = 0, most = 1;
  bool any = false;
  for (size_t i = 0; i < t->count; i++)
    if (is_private(t, i)) {
      total = align(total, t, i, &most) + t->sizes[i];
      any = true;
    }
  if (!any)
    return NULL;
  char *block = ghcomp_memory_get(total + most);
  char *base = (char *)(((uintptr_t)block + most - 1) & ~(uintptr_t)(most - 1));
  size_t offset = 0;
  const void *original = NULL; /* the previous entry's, if that was copied */
  for (size_t i = 0; i < t->count; i++) {
    const void *before = original;
    original = NULL;
    if (is_private(t, i)) {
      offset = align(offset, t, i, &most);
      original = t->addresses[i];
      memcpy(base + offset, original, t->sizes[i]);
      t->addresses[i] = base + offset;
      offset += t->sizes[i];
    } else if ((t->kinds[i] & KIND_MASK) == KIND_ATTACH && before != NULL)
      attach(t, i, before);
  }
  return block;
}

void ghcomp_target_run(const struct target *target)
{
  ghcomp_target_require_device(target->device);
  void *copies = copy_private(target);
  void *saved = ghcomp_team_push_initial(&ghcomp_settings.initial);
  ghcomp_teams_limit_threads(ghcomp_self(), target->thread_limit);
  target->fn(target->addresses);
  ghcomp_team_pop_initial(saved);
  ghcomp_memory_release(copies);
}

int ghcomp_target_copy_rectangle(char *to, const char *from, const struct rectangle *r)
{
  size_t to_step = r->element_size, from_step = r->element_size, length;
  if (r->dimensions == 1) {
    if (__builtin_mul_overflow(r->element_size, r->volume[0], &length))
      return EINVAL;
    memcpy(to + r->element_size * r->to_offsets[0], from + r->element_size * r->from_offsets[0],
           length);
    return 0;
  }
  for (int i = 1; i < r->dimensions; i++)
    if (__builtin_mul_overflow(to_step, r->to_sizes[i], &to_step) ||
        __builtin_mul_overflow(from_step, r->from_sizes[i], &from_step))
      return EINVAL;
  struct rectangle inner = {r->element_size, r->dimensions - 1, r->volume + 1, r->to_offsets + 1,
                            r->from_offsets + 1, r->to_sizes + 1, r->from_sizes + 1};
  for (size_t i = 0; i < r->volume[0]; i++) {
    int error = ghcomp_target_copy_rectangle(to + (r->to_offsets[0] + i) * to_step,
                                             from + (r->from_offsets[0] + i) * from_step, &inner);
    if (error != 0)
      return error;
  }
  return 0;
}
