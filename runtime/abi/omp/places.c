/* Places, binding and the affinity format.  Spec: 5.2, 18.3.  */
#include "abi/border.h"
#include "base/memory.h"
#include "machine/disturbance.h"
#include "places/places.h"
#include "settings/env.h"
#include "task/lineage.h"
#include "team/thread.h"

#include <stdio.h>
#include <string.h>

ENTRY_POINTS(omp_places);

EXPORT omp_proc_bind_t omp_get_proc_bind(void)
{
  return (omp_proc_bind_t)ghcomp_icv()->bind;
}

EXPORT int omp_get_num_places(void)
{
  ghcomp_start_once();
  return (int)ghcomp_places.count;
}

EXPORT int omp_get_place_num(void)
{
  const struct member *member = ghcomp_self()->member; /* first, because this call reads the
                                                          places */
  return ghcomp_places.count != 0 ? (int)member->place : -1;
}

EXPORT int omp_get_partition_num_places(void)
{
  const struct member *member = ghcomp_self()->member;
  return ghcomp_places.count != 0 ? (int)member->partition.length : 0;
}

EXPORT void omp_get_partition_place_nums(int *numbers)
{
  struct partition partition = ghcomp_self()->member->partition;
  if (ghcomp_places.count == 0)
    return;
  for (unsigned i = 0; i < partition.length; i++)
    numbers[i] = (int)(partition.first + i);
}

EXPORT int omp_get_place_num_procs(int place)
{
  ghcomp_start_once();
  return place >= 0 ? (int)ghcomp_places_processors((unsigned)place) : 0;
}

EXPORT void omp_get_place_proc_ids(int place, int *ids)
{
  ghcomp_start_once();
  if (place >= 0)
    ghcomp_places_processor_ids((unsigned)place, ids);
}

/* ------------------------------------------------------------- affinity format */

EXPORT void omp_set_affinity_format(const char *format)
{
  ghcomp_affinity_var_set(format);
}

EXPORT size_t omp_get_affinity_format(char *buffer, size_t size)
{
  ghcomp_start_once();
  char *format = ghcomp_affinity_var_copy();
  size_t length = strlen(format);
  if (size != 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(buffer, format, copied);
    buffer[copied] = '\0';
  }
  ghcomp_memory_release(format);
  return length;
}

EXPORT size_t omp_capture_affinity(char *buffer, size_t size, const char *format)
{
  struct affinity_info info = ghcomp_affinity_info_of(ghcomp_self()->member);
  if (format != NULL && *format != '\0')
    return ghcomp_affinity_format(buffer, size, format, &info);
  char *usual = ghcomp_affinity_var_copy();
  size_t length = ghcomp_affinity_format(buffer, size, usual, &info);
  ghcomp_memory_release(usual);
  return length;
}

/* libgomp shows it on standard error, LLVM's runtime on standard output.  */
static void display_affinity(FILE *out, const char *format)
{
  char line[1024], *longer = NULL;
  size_t length = omp_capture_affinity(line, sizeof line, format);
  if (length >= sizeof line) {
    longer = ghcomp_memory_get(length + 1);
    omp_capture_affinity(longer, length + 1, format);
  }
  int cancellation = ghcomp_machine_hold_cancellation();
  fprintf(out, "%s\n", longer != NULL ? longer : line);
  ghcomp_machine_let_cancellation(cancellation);
  ghcomp_memory_release(longer);
}

EXPORT void omp_display_affinity(const char *format)
{
  display_affinity(stderr, format);
}

/* The name under LLVM's node: kmp/omp.ld.  */
EXPORT void ghcomp_kmp_display_affinity(const char *format)
{
  display_affinity(stdout, format);
}
