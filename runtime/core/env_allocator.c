/* OMP_ALLOCATOR: a predefined allocator, or a memory space and perhaps traits,
   "omp_large_cap_mem_space:alignment=64,pinned=true".  Spec: 5.2, 21.5.1.  */
#include "core/allocator.h"
#include "core/env.h"
#include "core/env_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char shown[256] = "omp_default_mem_alloc";

static const char *const predefined[] = {
    "omp_default_mem_alloc", "omp_large_cap_mem_alloc", "omp_const_mem_alloc",
    "omp_high_bw_mem_alloc", "omp_low_lat_mem_alloc", "omp_cgroup_mem_alloc",
    "omp_pteam_mem_alloc", "omp_thread_mem_alloc", NULL};

static const char *const spaces[] = {"omp_default_mem_space", "omp_large_cap_mem_space",
                                     "omp_const_mem_space", "omp_high_bw_mem_space",
                                     "omp_low_lat_mem_space", NULL};

struct word {
  const char *name;
  omp_uintptr_t value;
};

static const struct word words[] = {
    {"contended", omp_atv_contended}, {"uncontended", omp_atv_uncontended},
    {"serialized", omp_atv_serialized}, {"private", omp_atv_private}, {"all", omp_atv_all},
    {"cgroup", omp_atv_cgroup}, {"pteam", omp_atv_pteam}, {"thread", omp_atv_thread},
    {"default_mem_fb", omp_atv_default_mem_fb}, {"null_fb", omp_atv_null_fb},
    {"abort_fb", omp_atv_abort_fb}, {"allocator_fb", omp_atv_allocator_fb},
    {"true", omp_atv_true}, {"false", omp_atv_false}, {"environment", omp_atv_environment},
    {"nearest", omp_atv_nearest}, {"blocked", omp_atv_blocked},
    {"interleaved", omp_atv_interleaved}};

static const struct word keys[] = {
    {"sync_hint", omp_atk_sync_hint}, {"alignment", omp_atk_alignment},
    {"access", omp_atk_access}, {"pool_size", omp_atk_pool_size},
    {"fallback", omp_atk_fallback}, {"fb_data", omp_atk_fb_data}, {"pinned", omp_atk_pinned},
    {"partition", omp_atk_partition}};

static bool find(const struct word *list, size_t count, const char *name, omp_uintptr_t *value)
{
  for (size_t i = 0; i < count; i++)
    if (strcasecmp(list[i].name, name) == 0) {
      *value = list[i].value;
      return true;
    }
  return false;
}
#define FIND(list, name, value) find(list, sizeof list / sizeof list[0], name, value)

static bool value_of(omp_uintptr_t key, const char *text, omp_uintptr_t *value)
{
  unsigned long long number;
  unsigned which;
  if (key == omp_atk_fb_data) {
    if (!ghcomp_env_parse_word(text, predefined, &which))
      return false;
    *value = which + 1;
    return true;
  }
  if (ghcomp_env_parse_number(text, 1, SIZE_MAX, &number)) {
    *value = (omp_uintptr_t)number;
    return true;
  }
  return FIND(words, text, value);
}

static bool item_trait(void *list, unsigned i, const char *text)
{
  char copy[64];
  omp_uintptr_t key, value;
  if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
    return false;
  char *equals = strchr(copy, '=');
  if (equals == NULL)
    return false;
  *equals++ = '\0';
  if (!FIND(keys, copy, &key) || !value_of(key, equals, &value))
    return false;
  ((omp_alloctrait_t *)list)[i] = (omp_alloctrait_t){(omp_alloctrait_key_t)key, value};
  return true;
}

static bool read_space(const char *text, uintptr_t *allocator)
{
  omp_alloctrait_t traits[16];
  char name[64];
  unsigned space, count = 0;
  const char *colon = strchr(text, ':');
  size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
  if (length >= sizeof name)
    return false;
  memcpy(name, text, length);
  name[length] = '\0';
  if (!ghcomp_env_parse_word(name, spaces, &space) ||
      (colon != NULL && !ghcomp_env_parse_list(colon + 1, 16, item_trait, traits, &count)))
    return false;
  omp_allocator_handle_t made =
      ghcomp_allocator_make((omp_memspace_handle_t)space, (int)count, traits);
  if (made == omp_null_allocator)
    return false;
  *allocator = (uintptr_t)made;
  return true;
}

bool ghcomp_env_allocator_read(const char *text, uintptr_t *allocator)
{
  unsigned which;
  if (ghcomp_env_parse_word(text, predefined, &which))
    *allocator = which + 1;
  else if (!read_space(text, allocator))
    return false;
  snprintf(shown, sizeof shown, "%s", text);
  return true;
}

void ghcomp_env_allocator_show(char *out, size_t size)
{
  snprintf(out, size, "%s", shown);
}
