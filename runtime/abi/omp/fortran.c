/* The Fortran spellings: name_ for default integers, name_8_ for 8-byte ones.
   Arguments come by reference unless the module says `value`; character
   arguments carry a hidden length.  One line per routine.  */
#include "abi/omp/interop_types.h"
#include "base/memory.h"

#include <string.h>

ENTRY_POINTS(omp_fortran);

typedef int32_t i4;
typedef int64_t i8;

/* ---------------------------------------------------------------- no arguments */

#define GETTER(type, name) \
  EXPORT type name##_(void) { return (type)name(); }

GETTER(i4, omp_get_dynamic)
GETTER(i4, omp_get_nested)
GETTER(i4, omp_in_parallel)
GETTER(i4, omp_get_max_threads)
GETTER(i4, omp_get_num_procs)
GETTER(i4, omp_get_num_threads)
GETTER(i4, omp_get_thread_num)
GETTER(double, omp_get_wtick)
GETTER(double, omp_get_wtime)
GETTER(i4, omp_get_thread_limit)
GETTER(i4, omp_get_max_active_levels)
GETTER(i4, omp_get_supported_active_levels)
GETTER(i4, omp_get_level)
GETTER(i4, omp_get_active_level)
GETTER(i4, omp_in_final)
GETTER(i4, omp_get_cancellation)
GETTER(i4, omp_get_proc_bind)
GETTER(i4, omp_get_num_places)
GETTER(i4, omp_get_place_num)
GETTER(i4, omp_get_partition_num_places)
GETTER(i4, omp_get_default_device)
GETTER(i4, omp_get_num_devices)
GETTER(i4, omp_get_device_num)
GETTER(i4, omp_get_initial_device)
GETTER(i4, omp_is_initial_device)
GETTER(i4, omp_get_num_teams)
GETTER(i4, omp_get_team_num)
GETTER(i4, omp_get_max_teams)
GETTER(i4, omp_get_teams_thread_limit)
GETTER(i4, omp_get_max_task_priority)
GETTER(intptr_t, omp_get_default_allocator)

extern int omp_in_explicit_task(void);
GETTER(i4, omp_in_explicit_task)

/* ----------------------------------------------------------- one integer in */

/* An 8-byte value outside the range of int becomes the nearest int.  */
static int narrow(i8 value)
{
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int)value;
}

#define SETTER(name)                                               \
  EXPORT void name##_(const i4 *value) { name(*value); }           \
  EXPORT void name##_8_(const i8 *value) { name(narrow(*value)); }

/* Logicals: any nonzero is true.  */
#define LOGICAL_SETTER(name)                                       \
  EXPORT void name##_(const i4 *value) { name(*value != 0); }      \
  EXPORT void name##_8_(const i8 *value) { name(*value != 0); }

#define QUESTION(name)                                             \
  EXPORT i4 name##_(const i4 *value) { return name(*value); }      \
  EXPORT i4 name##_8_(const i8 *value) { return name(narrow(*value)); }

SETTER(omp_set_num_threads)
SETTER(omp_set_max_active_levels)
SETTER(omp_set_default_device)
SETTER(omp_set_num_teams)
SETTER(omp_set_teams_thread_limit)
LOGICAL_SETTER(omp_set_dynamic)
LOGICAL_SETTER(omp_set_nested)
LOGICAL_SETTER(omp_display_env)
QUESTION(omp_get_ancestor_thread_num)
QUESTION(omp_get_team_size)
QUESTION(omp_get_place_num_procs)

/* -------------------------------------------------------------------- schedules */

EXPORT void omp_set_schedule_(const i4 *kind, const i4 *chunk)
{
  omp_set_schedule((omp_sched_t)*kind, *chunk);
}

EXPORT void omp_set_schedule_8_(const i4 *kind, const i8 *chunk)
{
  omp_set_schedule((omp_sched_t)*kind, narrow(*chunk));
}

EXPORT void omp_get_schedule_(i4 *kind, i4 *chunk)
{
  omp_sched_t k;
  int c;
  omp_get_schedule(&k, &c);
  *kind = (i4)k & INT32_MAX; /* without the modifier's bit */
  *chunk = c;
}

EXPORT void omp_get_schedule_8_(i4 *kind, i8 *chunk)
{
  i4 c;
  omp_get_schedule_(kind, &c);
  *chunk = c;
}

/* ----------------------------------------------------------------------- places */

EXPORT void omp_get_partition_place_nums_(i4 *numbers)
{
  omp_get_partition_place_nums(numbers);
}

EXPORT void omp_get_place_proc_ids_(const i4 *place, i4 *ids)
{
  omp_get_place_proc_ids(*place, ids);
}

/* Converts from 4 to 8 bytes in place, from the end.  */
static void widen(i8 *numbers, int count)
{
  for (int i = count - 1; i >= 0; i--)
    numbers[i] = ((i4 *)numbers)[i];
}

EXPORT void omp_get_partition_place_nums_8_(i8 *numbers)
{
  omp_get_partition_place_nums((int *)numbers);
  widen(numbers, omp_get_partition_num_places());
}

EXPORT void omp_get_place_proc_ids_8_(const i8 *place, i8 *ids)
{
  omp_get_place_proc_ids(narrow(*place), (int *)ids);
  widen(ids, omp_get_place_num_procs(narrow(*place)));
}

/* -------------------------------------------------------------- affinity format */

/* A terminated copy without trailing blanks, which the caller releases.  */
static char *to_c(const char *text, size_t length)
{
  while (length > 0 && text[length - 1] == ' ')
    length--;
  char *copy = ghcomp_memory_get(length + 1);
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

/* Fills a character variable: the text is cut off, or padded with blanks.  */
static void to_fortran(char *variable, size_t length, const char *text, size_t text_length)
{
  size_t copied = text_length < length ? text_length : length;
  memcpy(variable, text, copied);
  memset(variable + copied, ' ', length - copied);
}

EXPORT void omp_set_affinity_format_(const char *format, size_t length)
{
  char *copy = to_c(format, length);
  omp_set_affinity_format(copy);
  ghcomp_memory_release(copy);
}

EXPORT i4 omp_get_affinity_format_(char *buffer, size_t length)
{
  size_t needed = omp_get_affinity_format(NULL, 0);
  char *text = ghcomp_memory_get(needed + 1);
  if (length != 0) {
    omp_get_affinity_format(text, needed + 1);
    to_fortran(buffer, length, text, needed);
  }
  ghcomp_memory_release(text);
  return (i4)needed;
}

EXPORT void omp_display_affinity_(const char *format, size_t length)
{
  char *copy = to_c(format, length);
  omp_display_affinity(copy);
  ghcomp_memory_release(copy);
}

EXPORT i4 omp_capture_affinity_(char *buffer, const char *format, size_t buffer_length,
                                size_t format_length)
{
  char *copy = to_c(format, format_length);
  size_t needed = omp_capture_affinity(NULL, 0, copy);
  char *text = ghcomp_memory_get(needed + 1);
  if (buffer_length != 0) {
    omp_capture_affinity(text, needed + 1, copy);
    to_fortran(buffer, buffer_length, text, needed);
  }
  ghcomp_memory_release(text);
  ghcomp_memory_release(copy);
  return (i4)needed;
}

/* ------------------------------------------------------------ memory, resources */

EXPORT intptr_t omp_init_allocator_(const intptr_t *space, const i4 *count,
                                    const omp_alloctrait_t *traits)
{
  return (intptr_t)omp_init_allocator((omp_memspace_handle_t)*space, *count, traits);
}

EXPORT intptr_t omp_init_allocator_8_(const intptr_t *space, const i8 *count,
                                      const omp_alloctrait_t *traits)
{
  return (intptr_t)omp_init_allocator((omp_memspace_handle_t)*space, narrow(*count), traits);
}

EXPORT void omp_destroy_allocator_(const intptr_t *allocator)
{
  omp_destroy_allocator((omp_allocator_handle_t)*allocator);
}

EXPORT void omp_set_default_allocator_(const intptr_t *allocator)
{
  omp_set_default_allocator((omp_allocator_handle_t)*allocator);
}

EXPORT i4 omp_pause_resource_(const i4 *kind, const i4 *device)
{
  return omp_pause_resource((omp_pause_resource_t)*kind, *device);
}

EXPORT i4 omp_pause_resource_all_(const i4 *kind)
{
  return omp_pause_resource_all((omp_pause_resource_t)*kind);
}

EXPORT void omp_fulfill_event_(intptr_t event) /* value in the module */
{
  omp_fulfill_event((omp_event_handle_t)event);
}

/* ------------------------------------------------- character functions (pointers) */

/* The result is returned through two hidden arguments.  */
static void return_text(const char **text, size_t *length, const char *result)
{
  *text = result;
  *length = result != NULL ? strlen(result) : 0;
}

EXPORT i4 omp_get_device_from_uid_(const char *uid, size_t length)
{
  char *copy = to_c(uid, length);
  i4 device = omp_get_device_from_uid(copy);
  ghcomp_memory_release(copy);
  return device;
}

EXPORT void omp_get_uid_from_device_(const char **text, size_t *length, i4 device)
{
  return_text(text, length, omp_get_uid_from_device(device));
}

EXPORT void omp_get_uid_from_device_8_(const char **text, size_t *length, i8 device)
{
  return_text(text, length, omp_get_uid_from_device(narrow(device)));
}

EXPORT void omp_get_interop_str_(const char **text, size_t *length, interop_object object, interop_property property,
                                 interop_code *code)
{
  return_text(text, length, omp_get_interop_str(object, property, code));
}

EXPORT void omp_get_interop_name_(const char **text, size_t *length, interop_object object, interop_property property)
{
  return_text(text, length, omp_get_interop_name(object, property));
}

EXPORT void omp_get_interop_type_desc_(const char **text, size_t *length, interop_object object,
                                       interop_property property)
{
  return_text(text, length, omp_get_interop_type_desc(object, property));
}

EXPORT void omp_get_interop_rc_desc_(const char **text, size_t *length, interop_object object, interop_code code)
{
  return_text(text, length, omp_get_interop_rc_desc(object, code));
}
