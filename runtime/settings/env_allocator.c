/* OMP_ALLOCATOR: a predefined allocator, a memory space, or a memory space
   with traits, "omp_large_cap_mem_space:alignment=64,pinned=true".
   Spec: 5.2, 6.2 and 21.5.1.

   The text of traits is the longest that a variable has, so its messages say
   where it is wrong, in the words that libgomp has for it.  */
#include "base/memory.h"
#include "base/text.h"
#include "memory/allocator.h"
#include "settings/env.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TRAITS = 64, LONGEST_WORD = 64 };

/* In the order of omp_allocator_handle_t, from 1.  The first five belong to the memory spaces
   below.  */
static const char *const allocators[] = {
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc", "omp_thread_mem_alloc", NULL};

/* In the order of omp_memspace_handle_t, from 0.  */
static const char *const spaces[] = {"omp_default_mem_space", "omp_large_cap_mem_space",
                                     "omp_const_mem_space", "omp_high_bw_mem_space",
                                     "omp_low_lat_mem_space", NULL};

/* A trait's key and its values: words, whose omp_atv_* follow `first`; or a number; or an
   allocator.  */
static const struct trait {
  const char *const *words; /* NULL: a number from 1 */
  omp_alloctrait_key_t key;
  omp_uintptr_t first;
} traits[] = {
    {(const char *const[]){"contended", "uncontended", "serialized", "private", NULL},
     omp_atk_sync_hint, omp_atv_contended},
    {NULL, omp_atk_alignment, 0},
    {(const char *const[]){"all", "thread", "pteam", "cgroup", NULL}, omp_atk_access, omp_atv_all},
    {NULL, omp_atk_pool_size, 0},
    {(const char *const[]){"default_mem_fb", "null_fb", "abort_fb", "allocator_fb", NULL},
     omp_atk_fallback, omp_atv_default_mem_fb},
    {allocators, omp_atk_fb_data, omp_default_mem_alloc},
    {(const char *const[]){"false", "true", NULL}, omp_atk_pinned, omp_atv_false},
    {(const char *const[]){"environment", "nearest", "blocked", "interleaved", NULL},
     omp_atk_partition, omp_atv_environment},
};

static const char *const trait_names[] = {"sync_hint", "alignment", "access", "pool_size",
                                          "fallback", "fb_data", "pinned", "partition", NULL};

struct trait_list {
  omp_alloctrait_t items[MOST_TRAITS];
  size_t count;  /* traits that were read */
  size_t offset; /* where the trait that could not be read is wrong */
};

static bool trait_value(const struct trait *trait, const char *text, omp_uintptr_t *value)
{
  unsigned which;
  unsigned long long number;
  if (trait->words == NULL) {
    if (!ghcomp_parse_number(text, 1, SIZE_MAX / 2, &number))
      return false;
    *value = (omp_uintptr_t)number;
    return true;
  }
  if (!ghcomp_parse_word(text, trait->words, &which))
    return false;
  *value = trait->first + which;
  return true;
}

/* key=value */
static bool item_trait(void *state, size_t i, const char *text)
{
  struct trait_list *list = state;
  char copy[LONGEST_WORD], *equals;
  omp_uintptr_t value;
  unsigned which;
  list->offset = 0;
  if (i >= MOST_TRAITS || snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy ||
      (equals = strchr(copy, '=')) == NULL)
    return false;
  *equals = '\0';
  if (!ghcomp_parse_word(copy, trait_names, &which))
    return false;
  list->offset = (size_t)(equals + 1 - copy);
  if (!trait_value(&traits[which], equals + 1, &value))
    return false;
  list->items[i] = (omp_alloctrait_t){traits[which].key, value};
  list->count = i + 1;
  return true;
}

/* The memory space of the text up to the colon.  */
static bool read_space(const char *text, size_t length, unsigned *space)
{
  char copy[LONGEST_WORD];
  if (length >= sizeof copy)
    return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return ghcomp_parse_word(copy, spaces, space);
}

static const char *complain(const char *format, const char *text)
{
  char shown[GHCOMP_SHOWN_VALUE], sentence[2 * GHCOMP_SHOWN_VALUE];
  snprintf(sentence, sizeof sentence, format, ghcomp_parse_printable(text, shown));
  return ghcomp_memory_copy_text(sentence);
}

/* A message for the list in `text`, a part of the value `whole`: the first list->count traits could
   be read, and the next could not.  */
static const char *complain_of_trait(const char *whole, const char *text,
                                     const struct trait_list *list)
{
  for (size_t i = 0; i < list->count; i++)
    text += strcspn(text, ",") + 1;
  text += list->offset;
  return *text == '\0'
             ? complain("Missing value at the end of environment variable OMP_ALLOCATOR=%s", whole)
             : complain("Invalid value for environment variable OMP_ALLOCATOR when parsing: %s",
                        text);
}

static bool read_traits(const char *text, const char *colon, struct env_values *v)
{
  struct trait_list list = {.count = 0};
  unsigned space;
  if (!read_space(text, (size_t)(colon - text), &space))
    return false;
  if (!ghcomp_parse_list(colon + 1, item_trait, &list)) {
    v->complaint = complain_of_trait(text, colon + 1, &list);
    return false;
  }
  omp_allocator_handle_t made =
      ghcomp_allocator_make((omp_memspace_handle_t)space, (int)list.count, list.items);
  if (made == omp_null_allocator) {
    v->complaint = ghcomp_memory_copy_text("Allocator of environment variable OMP_ALLOCATOR cannot be "
                                   "created, using omp_default_mem_alloc instead");
    return false;
  }
  v->settings.initial.default_allocator = (uintptr_t)made;
  v->allocator = ghcomp_memory_copy_text(text);
  return true;
}

bool ghcomp_env_read_allocator(const char *text, struct env_values *v)
{
  unsigned which;
  const char *colon = strchr(text, ':');
  if (colon != NULL)
    return read_traits(text, colon, v);
  if (!ghcomp_parse_word(text, allocators, &which) &&
      !ghcomp_parse_word(text, spaces, &which))
    return false;
  v->settings.initial.default_allocator = omp_default_mem_alloc + which;
  v->allocator = allocators[which];
  return true;
}
